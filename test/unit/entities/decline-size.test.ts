import type { Attempt, EntityKind } from '../../../shared/domain/entities/entity-history';
import type { LabelledScreening } from '../../../shared/domain/outcomes/kept-subject';
import { readItem } from '../../../shared/store/entities/item-reading';
import { memoryEntities } from '../../../shared/store/memory/memory-entities';

/** Ten payments per hour for two days, each with another card, address and currency, and each declined. */
async function declinedLife(kind: EntityKind) {
  const entities = memoryEntities();
  const ref = { kind, name: kind, key: `${kind}#1` };
  let [atMs, largest] = [Date.UTC(2026, 2, 2), 0];
  for (let number = 0; number < 480; number++, atMs += 360_000) {
    const attempt: Attempt = {
      ...{
        attempt_id: `txn_${number}`,
        at_ms: atMs,
        action: 'transaction',
        outcome: 'succeeded',
        user_id: `user ${number}`,
      },
      ...{ amount: 10 + number, currency: ['EUR', 'USD', 'GBP'][number % 3] ?? 'EUR', amount_usd: 10 + number },
      ...{ device: `device ${number}`, ip: `ip ${number}`, country: 'DE', card: `card ${number}` },
    };
    const { trim } = await entities.recordAttempt(ref, attempt);
    const decline = { at_ms: atMs, ulid: `out ${number}`, card: attempt.card, is_wrong_cvc: true, is_shared: false };
    entities.decline(ref.key, { entities: [ref.key] } as unknown as LabelledScreening, { decline }, atMs);
    largest = Math.max(largest, readItem(entities.item(ref.key, atMs), atMs).bytes);
    await trim?.();
  }
  const { history } = await entities.recordAttempt(ref, {
    ...{ attempt_id: 'last', at_ms: atMs, action: 'transaction', outcome: 'succeeded', user_id: 'last' },
  });
  return { largest, declines: history.declines };
}

it.each(['user', 'device', 'ip', 'attribute'] as const)(
  '%s: ever new declines stay within a kilobyte',
  async (kind) => {
    const { largest, declines } = await declinedLife(kind);
    expect(largest).toBeLessThan(1_000);
    // Thinned sets still know the last minutes, and the number of a day is right to a few percent.
    expect(declines?.['10m']).toBe(1);
    expect(declines?.['24h']).toBeGreaterThan(220);
    expect(declines?.['24h']).toBeLessThan(260);
    expect(declines?.cards).toBeGreaterThanOrEqual(8);
  },
);
