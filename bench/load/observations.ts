import type { LogListener } from '../../local/lambda/logs';
import { summary } from '../support/percentiles';
import type { Done } from './drive';
import type { Operation } from './traffic';

/** What was observed of a load: latencies, responses, and what the functions printed. `users`: those seen before it. */
export function observations(users: Set<string> = new Set()) {
  const latencies = new Map<Operation, number[]>();
  const statuses = new Map<string, number>();
  const decisions = new Map<string, number>();
  const metrics = new Set<string>();
  let [answers, answerBytes, logBytes, logLines, screened, firsts, resolved] = [0, 0, 0, 0, 0, 0, 0];

  const add = (to: Map<string, number>, name: string): void => {
    to.set(name, (to.get(name) ?? 0) + 1);
  };

  return {
    onDone({ intent: { account, kind }, status, ms, bytes, json, replayed }: Done): void {
      const known = latencies.get(kind) ?? [];
      known.push(ms);
      latencies.set(kind, known);
      add(statuses, `${kind} ${status}`);
      answers += 1;
      answerBytes += bytes;
      const isScreening = kind === 'screen-transaction' || kind === 'screen-event';
      if (isScreening && status === 200 && !replayed) {
        screened += 1;
        add(decisions, json.decision);
        const user = `${account} ${json.user_id}`;
        if (!users.has(user)) firsts += 1;
        users.add(user);
      }
      if (kind === 'resolve-case' && status === 200) resolved += 1;
    },

    onLog: (({ line }) => {
      logBytes += Buffer.byteLength(line);
      logLines += 1;
      if (!line.includes('"_aws"')) return;
      const printed = JSON.parse(line);
      for (const { Namespace, Dimensions, Metrics } of printed._aws?.CloudWatchMetrics ?? []) {
        for (const names of Dimensions as string[][]) {
          const values = names.map((name) => `${name}=${printed[name]}`).join();
          for (const { Name } of Metrics) metrics.add(`${Namespace} ${Name} ${values}`);
        }
      }
    }) satisfies LogListener,

    /** A summary of everything so far. */
    summary() {
      const routes = [...latencies].map(([route, values]) => ({ route, ...summary(values) }));
      const errors = [...statuses].filter(([name]) => /( 0| 4\d\d| 5\d\d)$/.test(name));
      return {
        routes: routes.sort((a, b) => b.count - a.count),
        all: summary([...latencies.values()].flat()),
        errors: errors.map(([name, count]) => ({ name, count })),
        decisions: Object.fromEntries(decisions),
        screened,
        /** Screenings of users who had not been screened before. */
        firsts,
        resolved,
        requests: answers,
        answerBytes: answerBytes / Math.max(1, answers),
        logBytesPerRequest: logBytes / Math.max(1, answers),
        logLinesPerRequest: logLines / Math.max(1, answers),
        customMetrics: metrics.size,
      };
    },
    requests: () => answers,
    failures: () => [...statuses].reduce((sum, [name, count]) => sum + (/( 0| 5\d\d)$/.test(name) ? count : 0), 0),
  };
}

export type LoadSummary = ReturnType<ReturnType<typeof observations>['summary']>;
