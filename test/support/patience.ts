/** How many times as long as written this test run waits (see measure-patience.cjs). */
const PATIENCE = Number(process.env.PATIENCE ?? 4);

/** A wait that ends when what is waited for happens, and gives up later where the machine is slower. */
export const patient = (ms: number): number => ms * PATIENCE;

/**
 * For services under test whose promises are not about time: their functions wait sixty times as long for the database
 * before they leave out a history or answer 503. What is about time starts its service with `DEPLOYED_BUDGETS`.
 */
export const GENEROUS_BUDGETS = { TIME_BUDGET_FACTOR: '60' } as const;
export const DEPLOYED_BUDGETS = { TIME_BUDGET_FACTOR: '1' } as const;
