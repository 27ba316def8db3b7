import type { Attempt, EntityKind } from '../../shared/domain/entities/entity-history';
import { EVENT_ACTIONS } from '../../shared/domain/entities/entity-history';

export { seededRandom as generator } from '../../shared/domain/models/seeded-random';

export const KINDS: readonly EntityKind[] = ['user', 'device', 'ip', 'attribute'];
export const START_MS = Date.UTC(2026, 0, 1);
export const DAY_MS = 86_400_000;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const NETWORKS = ['other', 'hosting', 'mobile'] as const;

/** Everything random and as varied as the interface allows: a user that no merchant ever had. */
export function hostileAttempt(random: () => number, number: number, at_ms: number): Attempt {
  const letters = (count: number): string =>
    Array.from({ length: count }, () => LETTERS[Math.floor(random() * 26)] ?? 'A').join('');
  const isTransaction = random() < 0.6;
  const amount = 10 ** (random() * 15 - 3);
  return {
    attempt_id: `txn_${number.toString(36).padStart(26, '0')}`,
    at_ms,
    action: isTransaction ? 'transaction' : (EVENT_ACTIONS[Math.floor(random() * 8)] ?? 'login'),
    outcome: random() < 0.5 ? 'succeeded' : 'failed',
    ...(isTransaction ? { amount, currency: letters(3), amount_usd: amount * random() * 4 } : {}),
    user_id: `user-${random()}`,
    device: `device-${random()}`,
    ip: `ip-${random()}`,
    country: letters(2),
    network: NETWORKS[Math.floor(random() * 3)] ?? 'other',
    card: `card-${random()}`,
  };
}

/** A person's life: two devices, a home, a holiday, a few cards, one currency and now and then another. */
export function ordinaryAttempt(random: () => number, number: number, at_ms: number): Attempt {
  const isTransaction = random() < 0.7;
  const amount = Math.round(Math.exp(3.5 + (random() + random() + random() - 1.5) * 1.5) * 100) / 100;
  const away = random() < 0.03;
  return {
    attempt_id: `txn_${number.toString(36).padStart(26, '0')}`,
    at_ms,
    action: isTransaction
      ? 'transaction'
      : random() < 0.9
        ? 'login'
        : (EVENT_ACTIONS[Math.floor(random() * 8)] ?? 'login'),
    outcome: random() < 0.95 ? 'succeeded' : 'failed',
    ...(isTransaction ? { amount, currency: away ? 'GBP' : 'EUR', amount_usd: amount * 1.1 } : {}),
    user_id: 'user-1',
    device: random() < 0.8 ? 'device-phone' : 'device-laptop',
    ip: random() < 0.6 ? 'ip-home' : `ip-${Math.floor(random() * 40)}`,
    country: away ? 'GB' : 'DE',
    network: random() < 0.5 ? 'mobile' : 'other',
    card: random() < 0.9 ? 'card-1' : 'card-2',
  };
}
