import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measured } from '../../bench/cost/measured';
import { monthlyBill, totalOf, type Workload } from '../../bench/cost/monthly-bill';
import { inventoryOf, resourcesIn } from '../../bench/cost/stack-inventory';
import { US_EAST_1 } from '../../lib/prices';
import { ASSEMBLY } from '../support/synthesize-once';

const README = readFileSync(join(__dirname, '../../README.md'), 'utf8');

/** The defaults of `npm run cost`, without traffic. */
const IDLE: Workload = {
  screenings: 0,
  caseRate: 0.02,
  resolvedRate: 0.9,
  idempotencyRate: 1,
  readsPerScreening: 0.1,
  webhooksPerScreening: 0.1,
  accounts: 5,
  screeningMs: 25,
  receiverMs: 200,
};

it('the README states the idle cost that npm run cost prints', () => {
  const stack = inventoryOf(resourcesIn(ASSEMBLY, 'FraudScreening-production'));
  const total = totalOf(monthlyBill(IDLE, measured, stack, US_EAST_1));
  expect(README).toContain(`An idle stage costs $${total.toFixed(2)} per month`);
  expect(README).toContain(`an idle stage costs about $${Math.round(total)} per month`);
});
