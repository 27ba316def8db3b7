/** What an experiment found of a scene, beside what the model predicts. */
export interface Found {
  readonly scene: string;
  /** How many times smaller than the scene the traffic and the limits were. */
  readonly scale: number;
  readonly perSecond: number;
  readonly screenings: number;
  readonly degraded: number;
  readonly predictedDegraded: number;
  readonly refused: number;
  readonly predictedRefused: number;
  /** Share of updates of histories that were made. */
  readonly exact: number;
  /** Histories that were spread over shards at the end. */
  readonly spread: number;
  /** How far a screening is off that reads an hour of one of them, on average. */
  readonly windowError: number;
  /** How far it would be off by chance alone, because so few attempts are drawn for each shard. */
  readonly chanceError: number;
  readonly lagP95Ms: number;
  /** Neither 200 nor 503: should be none. */
  readonly otherFailures: number;
}

const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 2 : 1)}%`;

/** The table of an experiment. */
export const experimentRows = (scenes: readonly Found[]): string[][] => [
  [
    'scene',
    'scale',
    'screenings',
    'scored without a history',
    'model',
    'refused (503)',
    'model',
    'updates of histories made',
    'histories spread',
    'their hour is off by (by chance alone)',
    'webhook lag, p95',
  ],
  ...scenes.map((found) => [
    found.scene,
    `1:${Math.round(found.scale).toLocaleString('en-US')}`,
    `${found.screenings} at ${found.perSecond.toFixed(0)}/s`,
    percent(found.degraded),
    percent(found.predictedDegraded),
    percent(found.refused),
    percent(found.predictedRefused),
    percent(found.exact),
    String(found.spread),
    found.spread === 0 ? '–' : `${percent(found.windowError)} (${percent(found.chanceError)})`,
    Number.isFinite(found.lagP95Ms) ? `${Math.round(found.lagP95Ms).toLocaleString('en-US')} ms` : 'none sent',
  ]),
];
