import { request } from './api';
import { must } from './check';
import type { Operator, SeenAlarm } from './operator';

interface LocalRunFacts {
  readonly stackName: string;
  /** Where its run.json is, which has the administrator's credentials. */
  readonly dataDir: string;
  readonly outputs: Readonly<Record<string, string>>;
}

const METRIC_DELAY_MS = 20_000;

/** What a local run says about itself; undefined if the URL is not one. */
export async function localRunAt(url: string): Promise<LocalRunFacts | undefined> {
  const { status, json } = await request('GET', `${url}/_local/run`);
  return status === 200 && json?.dataDir ? (json as LocalRunFacts) : undefined;
}

/** The operator's view of a local run, by its own pages. */
export function localOperator(url: string): Operator {
  const read = async (path: string, method = 'GET') => {
    const { status, json, text } = await request(method, `${url}/_local/${path}`);
    must(status === 200 && json !== undefined, `/_local/${path} answered ${status}: ${text.slice(0, 200)}`);
    return json;
  };
  return {
    where: 'local run',
    metricDelayMs: METRIC_DELAY_MS,
    outputs: async () => (await read('run')).outputs,
    async runSchedules() {
      const names: string[] = await read('schedules');
      const runs = names.map(async (name) => {
        const outcomes: { ok: boolean; error?: { message?: string } }[] = await read(
          `schedules/${encodeURIComponent(name)}`,
          'POST',
        );
        const failed = outcomes.find(({ ok }) => !ok);
        return { name, error: failed && (failed.error?.message ?? JSON.stringify(failed)) };
      });
      return Promise.all(runs);
    },
    async metricsSince(names, sinceMs) {
      const counts: Record<string, number> = await read(`metrics?since=${sinceMs}`);
      return new Set(names.filter((name) => (counts[name] ?? 0) > 0));
    },
    async invocationsSince(sinceMs) {
      const counts: Record<string, number> = await read(`functions?since=${sinceMs}`);
      return new Map(Object.entries(counts));
    },
    alarms: async () =>
      (await read('alarms')).map(({ name, state, description }: SeenAlarm) => ({ name, state, description })),
    testPage: async () => undefined,
    async denials() {
      const all: { function: string; action: string; resource: string; missing: string }[] = await read('denials');
      return all.map(({ function: name, action, missing }) => `${name} may not ${action}. Missing grant: ${missing}`);
    },
  };
}
