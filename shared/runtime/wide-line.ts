import type { MetricValue } from '../metrics/define-metrics';

/** What a request's log line contains besides the request itself. */
export interface LineContent {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly metrics: readonly MetricValue[];
}

/** Collects it while the request runs. Lambda runs one request at a time per environment, so one holder is enough. */
export interface WideLine {
  add(content: LineContent): void;
  /** Returns what was collected and starts afresh. */
  take(): LineContent;
}

const EMPTY: LineContent = { fields: {}, metrics: [] };

export function wideLine(): WideLine {
  let gathered = EMPTY;
  return {
    add: ({ fields, metrics }) => {
      gathered = { fields: { ...gathered.fields, ...fields }, metrics: [...gathered.metrics, ...metrics] };
    },
    take: () => {
      const taken = gathered;
      gathered = EMPTY;
      return taken;
    },
  };
}
