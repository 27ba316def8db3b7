/** What AWS checks about an event source mapping before creating it. */
export interface MappingFacts {
  readonly isQueue: boolean;
  readonly isFifo: boolean;
  /** Of the queue; AWS's default is 30. */
  readonly visibilitySeconds: number;
  readonly timeoutSeconds: number;
  readonly batchSize: number;
  readonly windowSeconds: number;
  readonly filters: number;
  readonly maxConcurrency: number | undefined;
  readonly parallelization: number | undefined;
  readonly maxRetries: number | undefined;
  readonly maxAgeSeconds: number | undefined;
  readonly tumblingSeconds: number | undefined;
}

const within = (value: number | undefined, low: number, high: number): boolean =>
  value === undefined || (Number.isInteger(value) && value >= low && value <= high);

/** Limits of "CreateEventSourceMapping" and of the guides for queues and streams, as conditions that must not hold. */
const REFUSALS: ReadonlyArray<readonly [(facts: MappingFacts) => boolean, (facts: MappingFacts) => string]> = [
  [
    (of) => of.isQueue && of.visibilitySeconds < of.timeoutSeconds,
    (of) =>
      `the queue's visibility timeout of ${of.visibilitySeconds} s is shorter than the function's timeout of ${of.timeoutSeconds} s`,
  ],
  [(of) => !within(of.batchSize, 1, 10_000), (of) => `a batch of ${of.batchSize} is not between 1 and 10,000`],
  [
    (of) => of.isQueue && of.isFifo && of.batchSize > 10,
    (of) => `a batch of ${of.batchSize} is more than the 10 of a FIFO queue`,
  ],
  [
    (of) => of.isQueue && of.batchSize > 10 && of.windowSeconds < 1,
    (of) => `a batch of ${of.batchSize} needs a batching window of at least 1 s`,
  ],
  [(of) => of.isFifo && of.windowSeconds > 0, () => 'a FIFO queue takes no batching window'],
  [
    (of) => !within(of.windowSeconds, 0, 300),
    (of) => `a batching window of ${of.windowSeconds} s is not between 0 and 300`,
  ],
  [(of) => of.filters > 5, (of) => `${of.filters} filters are more than the 5 that AWS takes without asking`],
  [
    (of) => of.isQueue && !within(of.maxConcurrency, 2, 1_000),
    (of) => `a maximum concurrency of ${of.maxConcurrency} is not between 2 and 1,000`,
  ],
  [(of) => !of.isQueue && of.maxConcurrency !== undefined, () => 'a stream takes no maximum concurrency'],
  [
    (of) => !within(of.parallelization, 1, 10),
    (of) => `a parallelization factor of ${of.parallelization} is not between 1 and 10`,
  ],
  [(of) => !within(of.maxRetries, -1, 10_000), (of) => `${of.maxRetries} retries are not between -1 and 10,000`],
  [
    (of) => of.maxAgeSeconds !== -1 && !within(of.maxAgeSeconds, 60, 604_800),
    (of) => `a record age of ${of.maxAgeSeconds} s is not between 60 and 604,800`,
  ],
  [
    (of) => !within(of.tumblingSeconds, 0, 900),
    (of) => `a tumbling window of ${of.tumblingSeconds} s is not between 0 and 900`,
  ],
];

/** Why AWS would reject the mapping; undefined if it would not. */
export const mappingRefusal = (facts: MappingFacts): string | undefined =>
  REFUSALS.find(([holds]) => holds(facts))?.[1](facts);
