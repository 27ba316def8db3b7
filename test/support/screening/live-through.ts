import { earningOf } from '../../../shared/domain/entities/earning';
import {
  type Attempt,
  type EntityHistory,
  type EntityKind,
  EVENT_ACTIONS,
  type KnownLabel,
} from '../../../shared/domain/entities/entity-history';
import { stoppedMark } from '../../../shared/domain/entities/stopped-mark';
import { earnUpdate, trustUpdate } from '../../../shared/store/entities/earn-update';
import { stoppedElsewhereUpdate, stopUpdate } from '../../../shared/store/entities/familiarity-update';
import { labelUpdate } from '../../../shared/store/entities/label-update';
import { readEntity } from '../../../shared/store/entities/read-entity';
import { recordAttemptUpdate } from '../../../shared/store/entities/record-attempt-update';
import { entityKey } from '../../../shared/store/keys';
import { applyInPlace, type Update } from '../../../shared/store/memory/apply-update';
import { itemSize, type LiveItem } from '../../../shared/store/sdk/attribute-value';

/** The key attributes of an entity; for a tracked attribute, with the longest name allowed. */
function keyAttributes(kind: EntityKind): LiveItem {
  const path = kind === 'attribute' ? `attribute.${'k'.repeat(64)}` : kind;
  const { pk, sk } = entityKey('acc_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0', `${path}#0123456789abcdefghijkl`);
  return new Map([
    ['pk', { S: pk }],
    ['sk', { S: sk }],
  ]);
}

/** An entity in memory that is updated and trimmed as in a screening. */
export interface Life {
  readonly kind: EntityKind;
  readonly item: LiveItem;
  attempts: number;
  trims: number;
  largestBytes: number;
}

export const newLife = (kind: EntityKind): Life => ({
  kind,
  item: keyAttributes(kind),
  attempts: 0,
  trims: 0,
  largestBytes: 0,
});

function update(life: Life, params: Update): void {
  applyInPlace(life.item, params);
  life.largestBytes = Math.max(life.largestBytes, itemSize(life.item));
}

/** The result of an attempt. */
export type Fate = 'allow' | 'review' | 'block';

const STOPPED_SCORE = { review: 70, block: 95 };

/** Everything that a screening writes to an entity in its second trip, besides a trim. */
export function secondUpdate(
  kind: EntityKind,
  attempt: Attempt,
  history: EntityHistory,
  fate: Fate,
): Update | undefined {
  if (kind !== 'user') return fate === 'allow' ? trustUpdate(attempt.at_ms) : stoppedElsewhereUpdate(kind, attempt);
  if (fate === 'allow') {
    const earning = earningOf(attempt, history, undefined, []);
    return earning && earnUpdate({ attempt, earning });
  }
  const mark = stoppedMark({ attempt, refs: [] }, history, STOPPED_SCORE[fate]);
  return stopUpdate({ decision: fate, isTransaction: attempt.action === 'transaction', atMs: attempt.at_ms, mark });
}

/** Records and trims; the trim follows from the item before the update, which is what the update returns. */
export function live(life: Life, attempt: Attempt, fate: Fate = 'allow'): void {
  const { history, trim } = readEntity(life.kind, life.item, attempt);
  update(life, recordAttemptUpdate(life.kind, attempt));
  const second = secondUpdate(life.kind, attempt, history, fate);
  if (second) update(life, second);
  life.attempts += 1;
  if (trim === undefined) return;
  life.trims += 1;
  update(life, trim);
}

/** Counts a label, replacing another if one is given. */
export const learn = (life: Life, label: KnownLabel, replaced?: KnownLabel): void =>
  update(life, labelUpdate(label, replaced));

export { seededRandom as generator } from '../../../shared/domain/models/seeded-random';

export const KINDS: readonly EntityKind[] = ['user', 'device', 'ip', 'attribute', 'network'];
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
