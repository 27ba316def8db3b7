let factor = 1;

/**
 * How many times as long as a deployed function this one may wait for DynamoDB. Functional tests must not depend on how
 * fast their machine is, so the local run of a test stretches every budget; no deployed function does (a test says so).
 */
export function stretchTimeBudgets(by: number): void {
  factor = by;
}

/** A budget as it applies here. */
export const budgetMs = (ms: number): number => ms * factor;
