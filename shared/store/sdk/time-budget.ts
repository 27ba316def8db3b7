let factor = 1;

/**
 * By which factor this function may wait longer for DynamoDB than a deployed one. Functional tests must not depend on
 * the speed of their machine, so a test's local run stretches every budget; no deployed function does (a test checks).
 */
export function stretchTimeBudgets(by: number): void {
  factor = by;
}

export const budgetMs = (ms: number): number => ms * factor;
