import type { Figure } from '../metrics/define-metrics';

/** What the one log line of a request tells besides the request itself. */
export interface LineContent {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly figures: readonly Figure[];
}

/** Gathers it while the request runs; Lambda runs one at a time in an environment, so one holder is enough. */
export interface WideLine {
  add(content: LineContent): void;
  /** Hands over what was gathered and starts afresh. */
  take(): LineContent;
}

const EMPTY: LineContent = { fields: {}, figures: [] };

export function wideLine(): WideLine {
  let gathered = EMPTY;
  return {
    add: ({ fields, figures }) => {
      gathered = { fields: { ...gathered.fields, ...fields }, figures: [...gathered.figures, ...figures] };
    },
    take: () => {
      const taken = gathered;
      gathered = EMPTY;
      return taken;
    },
  };
}
