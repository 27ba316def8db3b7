import { eventOf, HOUR_MS, MINUTE_MS } from '../people/person';
import type { World } from '../play/strategy';
import { isStopped } from '../target/target';
import { invented, paymentAs } from './moves';

export const FARMED = 20;

/** Signs up one account after another on one device, and lets each that was accepted buy two hours later. */
export async function farm(world: World, userIds: readonly string[]): Promise<void> {
  const { draws, addresses } = world;
  const from = { device_fingerprint: world.name('device'), ip_address: addresses.home('DE', draws), country: 'DE' };
  const accepted: string[] = [];
  for (const [number, user_id] of userIds.entries()) {
    const person = { ...invented(world, number), user_id };
    if (!isStopped(await world.act(eventOf(person, draws, 'signup', from)))) accepted.push(user_id);
    await world.wait(2 * MINUTE_MS);
  }
  await world.wait(2 * HOUR_MS);
  for (const user_id of accepted) {
    const number = userIds.indexOf(user_id);
    await world.pay(paymentAs(world, invented(world, number), { ...from, user_id, amount: 100 }));
    await world.wait(15 * MINUTE_MS);
  }
}
