import {
  eventBy,
  MINUTE_MS,
  newPerson,
  type Over,
  type PaymentBody,
  type Person,
} from '../../../training/simulation/world';
import type { Play } from '../strategy';
import { type Answer, isStopped } from '../target';

export function elsewhere({ draws, addresses, name }: Play, number = 0) {
  const country = draws.pick(['US', 'PL', 'ES'] as const);
  return { device_fingerprint: name(`device-${number}`), ip_address: addresses.home(country, draws) };
}

export function theVictim({ victims }: Play): Person {
  const [victim] = victims;
  if (victim === undefined) throw new Error('The strategy has no victim');
  return victim;
}

export const invented = (world: Play, number: number): Person => newPerson(world, world.name(`user-${number}`));

export async function takeOver(world: Play, victim: Person, from: Over): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await world.act(eventBy(world, victim, 'login', { ...from, outcome: 'failed' }));
    await world.wait(20_000);
  }
  await world.act(eventBy(world, victim, 'password_reset', from));
  await world.wait(2 * MINUTE_MS);
  await world.act(eventBy(world, victim, 'login', from));
  await world.wait(5 * MINUTE_MS);
}

/** Pays the same amount until it is stopped; returns the answer that stopped it. */
export async function payWhileAllowed(world: Play, request: PaymentBody, everyMs: number): Promise<Answer> {
  for (;;) {
    const answer = await world.pay(request);
    if (isStopped(answer)) return answer;
    await world.wait(everyMs);
  }
}
