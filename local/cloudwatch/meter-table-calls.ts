import { ADMIN, type Intercept, type Proceed } from '../aws/front';
import type { AwsMetrics } from './aws-metrics';

/** Requests from DynamoDB what each call of a function consumed; `inner` (faults, other meters) still applies. */
export const meterTableCalls =
  (metrics: AwsMetrics, inner?: Intercept): Intercept =>
  async (call, proceed) => {
    if (call.service !== 'dynamodb' || call.caller === ADMIN.name) return inner?.(call, proceed);
    const asking: Proceed = (input) => proceed({ ReturnConsumedCapacity: 'TOTAL', ...(input ?? call.input) });
    const answer = (await inner?.(call, asking)) ?? (await asking());
    if (answer !== 'reset') metrics.table(call, answer.status, parsed(String(answer.body)));
    return answer;
  };

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
