import { eventOf, MINUTE_MS, newPerson, type Over, type Person, paymentOf } from '../people/person';
import type { World } from '../play/strategy';
import { type Answer, isStopped, type PaymentBody } from '../target/target';

/** The attacker's own device and address, abroad. */
export function elsewhere({ draws, addresses, name }: World, number = 0) {
  const country = draws.pick(['US', 'PL', 'ES'] as const);
  return { device_fingerprint: name(`device-${number}`), ip_address: addresses.home(country, draws) };
}

/** The only victim of a strategy that has one. */
export function theVictim({ victims }: World): Person {
  const [victim] = victims;
  if (victim === undefined) throw new Error('The strategy has no victim');
  return victim;
}

/** A payment in somebody else's name. */
export const paymentAs = ({ draws }: World, person: Person, over: Over): PaymentBody => paymentOf(person, draws, over);

/** Somebody who does not exist, with a card that belongs to somebody else. */
export const invented = ({ draws, addresses, name }: World, number: number): Person =>
  newPerson(name(`user-${number}`), draws, addresses);

/** Guesses the password, resets it and signs in. */
export async function takeOver(world: World, victim: Person, from: Over): Promise<void> {
  const { draws } = world;
  for (let i = 0; i < 4; i++) {
    await world.act(eventOf(victim, draws, 'login', { ...from, outcome: 'failed' }));
    await world.wait(20_000);
  }
  await world.act(eventOf(victim, draws, 'password_reset', from));
  await world.wait(2 * MINUTE_MS);
  await world.act(eventOf(victim, draws, 'login', from));
  await world.wait(5 * MINUTE_MS);
}

/** Pays the same amount until it is stopped; returns the answer that stopped it. */
export async function payWhileAllowed(world: World, request: PaymentBody, everyMs: number): Promise<Answer> {
  for (;;) {
    const answer = await world.pay(request);
    if (isStopped(answer)) return answer;
    await world.wait(everyMs);
  }
}
