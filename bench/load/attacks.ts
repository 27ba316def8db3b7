import type { Random } from '../../shared/domain/models/seeded-random';
import type { Intent } from './intent';
import type { Person, Population } from './population';

/** One attacker's requests, in order; others' requests come in between. */
export type Attack = Generator<Intent, void>;

// Machines in data centres, where bots run.
const server = (serial: number): string => `52.94.${serial % 250}.${(serial >> 8) % 250}`;
const somewhere = (serial: number): string => `185.220.101.${serial % 250}`;

const event = (account: number, event_type: string, user_id: string, more: object): Intent => ({
  kind: 'screen-event',
  account,
  body: { event_type, user_id, ...more },
});
const payment = (account: number, user_id: string, amount: number, more: object): Intent => ({
  kind: 'screen-transaction',
  account,
  body: { user_id, amount, currency: 'USD', payment_method: 'card', ...more },
});

/** Stolen cards are tested with small amounts, one after another, from one device. */
function* cardTesting(account: number, serial: number, random: Random): Attack {
  const from = { ip_address: server(serial), device_fingerprint: `tester-${serial}` };
  for (let card = 0; card < 25; card++) {
    const custom_attributes = { card_fingerprint: `stolen-${serial}-${card}`, card_bin: `bin-${serial % 7}` };
    yield payment(account, `tester-${serial}`, 1 + Math.floor(random() * 4), { ...from, custom_attributes });
  }
}

/** A user bought a few times from home; then, from elsewhere, their password is guessed and reset, and their money spent. */
function* takeover(account: number, serial: number, victim: Person): Attack {
  const home = { ip_address: victim.ip_address, device_fingerprint: victim.devices[0] };
  const custom_attributes = { card_fingerprint: victim.card };
  for (const times of [1, 0.8, 1.1]) {
    yield payment(account, victim.user_id, victim.usual * times, { ...home, custom_attributes });
  }
  const from = { ip_address: somewhere(serial), device_fingerprint: `thief-${serial}` };
  for (let attempt = 0; attempt < 6; attempt++) {
    yield event(account, 'login', victim.user_id, { ...from, outcome: 'failed' });
  }
  yield event(account, 'password_reset', victim.user_id, from);
  yield event(account, 'login', victim.user_id, from);
  for (const times of [8, 12]) {
    yield payment(account, victim.user_id, victim.usual * times, { ...from, custom_attributes });
  }
}

/** One device signs many users up, and each buys once. */
function* deviceFarm(account: number, serial: number, random: Random): Attack {
  const device_fingerprint = `farm-${serial}`;
  for (let user = 0; user < 12; user++) {
    const from = { device_fingerprint, ip_address: somewhere(serial + user) };
    const user_id = `farmed-${serial}-${user}`;
    yield event(account, 'signup', user_id, from);
    yield payment(account, user_id, 100 + Math.floor(random() * 900), from);
  }
}

/** A bot signs up accounts from a few servers, each on its own device, and each buys at once. */
function* botSignup(account: number, serial: number, random: Random): Attack {
  for (let user = 0; user < 20; user++) {
    const from = { device_fingerprint: `bot-${serial}-${user}`, ip_address: server(serial + (user % 3)) };
    yield event(account, 'signup', `bot-${serial}-${user}`, from);
    yield payment(account, `bot-${serial}-${user}`, 50 + Math.floor(random() * 450), from);
  }
}

/** Another attack on an account. */
export function startAttack(people: Population, account: number, serial: number, random: Random): Attack {
  const attacks = [
    () => cardTesting(account, serial, random),
    () => takeover(account, serial, people.somebody(account, random)),
    () => deviceFarm(account, serial, random),
    () => botSignup(account, serial, random),
  ];
  return (attacks[serial % attacks.length] as () => Attack)();
}
