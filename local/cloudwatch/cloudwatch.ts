import { METRIC_NAMESPACE } from '../../shared/runtime/embedded-metrics';
import { dashboardPages } from '../dashboard/dashboard-page';
import type { ProxyResponse } from '../gateway/gateway-responses';
import type { Received } from '../gateway/handle-request';
import { get, json, type LocalPage } from '../gateway/local-pages';
import { ADMINISTRATIVE } from '../iam/roles';
import type { LogListener } from '../lambda/logs';
import type { Stacks } from '../template/resolve-stack';
import { alarmStates } from './alarm-states';
import { type AwsMetrics, awsMetrics, canaries } from './aws-metrics';
import { extractMetrics } from './embedded-metrics';
import { dashboardsOf } from './graph-series';
import { BUCKET_MS, type MetricStore, metricStore } from './metric-store';

type Serve = (received: Received) => Promise<ProxyResponse>;

export interface CloudWatch {
  readonly metrics: AwsMetrics;
  readonly collect: LogListener;
  readonly pages: readonly LocalPage[];
  listener(functionName: string): {
    onStart(running: number): void;
    onEnd(durationMs: number, ok: boolean): void;
  };
  timed(serve: Serve): Serve;
}

/** `now` is the functions' clock: their metrics carry its time. */
export function cloudWatch(stacks: Stacks, now: () => number, report: (problem: string) => void): CloudWatch {
  const store = metricStore(now);
  const [api] = stacks.ofType('AWS::ApiGateway::RestApi');
  const [stage] = stacks.ofType('AWS::ApiGateway::Stage');
  const metrics = awsMetrics(store, {
    apiName: String(api?.properties.Name ?? ''),
    stage: String(stage?.properties.StageName ?? ''),
  });
  const alarms = alarmStates(stacks, store);
  const wouldShift = canaries(stacks, () => alarms(now()));
  return {
    metrics,
    collect: ({ function: name, line }) => {
      const extracted = extractMetrics(line, now());
      if (extracted.kind === 'refused') report(`CloudWatch would drop metrics of ${name}: ${extracted.reason}`);
      if (extracted.kind !== 'samples') return;
      for (const { values, atMs, ...metric } of extracted.samples) {
        for (const value of values) store.record(metric, value, atMs);
      }
    },
    pages: [
      ...dashboardPages({ dashboards: dashboardsOf(stacks), store, alarms, now }),
      get(/^metrics$/, (_groups, query) => json(samplesSince(store, Number(query.get('since') ?? 0), now()))),
      get(/^functions$/, (_groups, query) =>
        json(invocationsSince(stacks, store, Number(query.get('since') ?? 0), now())),
      ),
      get(/^canaries$/, () => json(wouldShift())),
    ],
    listener: (functionName) => ({
      onStart: (running) => metrics.concurrency(functionName, running),
      onEnd: (durationMs, ok) => metrics.invoked(functionName, durationMs, ok),
    }),
    timed: (serve) => async (received) => {
      const startedAt = performance.now();
      const answer = await serve(received);
      metrics.answered(answer.status, performance.now() - startedAt);
      return answer;
    },
  };
}

const wholeRange = (sinceMs: number, nowMs: number) => {
  const fromMs = Math.floor(Math.max(sinceMs, 0) / BUCKET_MS) * BUCKET_MS;
  return { fromMs, toMs: nowMs + BUCKET_MS, periodMs: nowMs + BUCKET_MS - fromMs };
};

function invocationsSince(stacks: Stacks, store: MetricStore, sinceMs: number, nowMs: number): Record<string, number> {
  const own = stacks.ofType('AWS::Lambda::Function').filter(({ logicalId }) => !ADMINISTRATIVE.test(logicalId));
  const counts = own.map(({ ref: FunctionName }) => {
    const metric = { namespace: 'AWS/Lambda', name: 'Invocations', dimensions: { FunctionName } };
    const [count = 0] = store.points(metric, 'Sum', wholeRange(sinceMs, nowMs));
    return [FunctionName, Number.isFinite(count) ? count : 0];
  });
  return Object.fromEntries(counts);
}

function samplesSince(store: MetricStore, sinceMs: number, nowMs: number): Record<string, number> {
  const range = wholeRange(sinceMs, nowMs);
  const counts: Record<string, number> = {};
  for (const metric of store.known().filter(({ namespace }) => namespace === METRIC_NAMESPACE)) {
    const [count = 0] = store.points(metric, 'SampleCount', range);
    counts[metric.name] = (counts[metric.name] ?? 0) + count;
  }
  return counts;
}
