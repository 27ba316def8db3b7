import type { Intercept } from '../../local/aws/front';
import { runUntilStopped } from '../../local/greeting';

/*
 * A local run with a clock that can be moved and, if told so, a function that hangs in the middle of its work, so that
 * a test can kill the process at that very line. Arguments: assembly, data directory, and which write of a delivery
 * to hang at (1: the claim, 2: what became of the attempt; 0: never).
 */
const [assembly = '', dataDir = '', hangAt = '0'] = process.argv.slice(2);

let steps = 0;
const intercept: Intercept = async ({ operation, input, caller }) => {
  const key = input.Key as { readonly pk?: { readonly S?: string } } | undefined;
  const isStep =
    operation === 'UpdateItem' && key?.pk?.S?.startsWith('DELIVERIES#') && caller.includes('DeliverWebhook');
  if (!isStep || ++steps !== Number(hangAt)) return undefined;
  console.log('HANGING');
  return new Promise(() => undefined);
};

void runUntilStopped(
  () => ({ assembly, dataDir, port: 0, stackName: 'FraudScreening-sandbox', virtualClock: true, intercept }),
  async (run) => console.log(`Ready at ${run.url}`),
);
