import { useTimeMachineApart } from '../support/machine/time-machine';
import { webhookAccount } from '../support/webhooks/webhook-account';
import { useReceiver } from '../support/webhooks/webhook-receiver';
import { IS_FULL, percentile, printMeasurement, sized, spread } from './soak-size';

const receiver = useReceiver();
useTimeMachineApart(receiver.env);

it('a screening takes as long with 20 endpoints as with none', async () => {
  const [without, having] = [await webhookAccount(receiver), await webhookAccount(receiver)];
  const paths: string[] = [];
  for (let i = 0; i < 20; i++) paths.push((await having.register(['transaction.screened'])).path);

  const took = { without: [] as number[], having: [] as number[] };
  const timed = async (account: typeof without, into: number[]) => {
    const startedMs = performance.now();
    // On a busy machine a 503 is an honest answer; it says nothing of how long a screening takes.
    const isScreened = await account.pay().then(
      () => true,
      () => false,
    );
    if (isScreened) into.push(performance.now() - startedMs);
  };
  const [rounds, warmUp] = [sized(400, 2), sized(10, 1)];
  // In turn, each first every other time: what the deliveries of the one take of this machine, the other feels as well.
  for (let round = 0; round < rounds + warmUp; round++) {
    const turns = [() => timed(without, took.without), () => timed(having, took.having)];
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  const [none, twenty] = [took.without.slice(warmUp), took.having.slice(warmUp)];
  const ratio = percentile(twenty, 0.5) / percentile(none, 0.5);
  printMeasurement(`no endpoint: ${spread(none)}; 20 endpoints: ${spread(twenty)}; medians ${ratio.toFixed(2)} ×`);

  const last = paths.at(-1) as string;
  await receiver.until(last, () => receiver.at(last).length === took.having.length, 600_000);
  if (IS_FULL) expect(Math.abs(ratio - 1)).toBeLessThan(0.15);
}, 900_000);
