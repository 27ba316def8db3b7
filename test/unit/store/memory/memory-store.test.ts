import fc from 'fast-check';
import {
  DAY_MS,
  generator,
  hostileAttempt,
  KINDS,
  ordinaryAttempt,
  START_MS,
} from '../../../../bench/support/live-through';
import type { OutcomeChange } from '../../../../shared/domain/cases/outcome';
import { labelUpdate } from '../../../../shared/store/entities/label-update';
import { readEntity } from '../../../../shared/store/entities/read-entity';
import { recordAttemptUpdate } from '../../../../shared/store/entities/record-attempt-update';
import { applyInPlace } from '../../../../shared/store/memory/apply-update';
import { memoryStore } from '../../../../shared/store/memory/memory-store';
import type { LiveItem } from '../../../../shared/store/sdk/attribute-value';
import { sized } from '../../../support/sized';

const anyLife = fc.record({
  kind: fc.constantFrom(...KINDS),
  seed: fc.nat(),
  gapsMs: fc.array(fc.oneof(fc.nat(100_000), fc.nat(DAY_MS), fc.nat(40 * DAY_MS)), { minLength: 20, maxLength: 80 }),
});

test('an entity in memory tells at every attempt what one in the table would, which keeps its stale buckets', async () => {
  await fc.assert(
    fc.asyncProperty(anyLife, async ({ kind, seed, gapsMs }) => {
      const random = generator(seed);
      const make = random() < 0.5 ? hostileAttempt : ordinaryAttempt;
      const { entities, outcomes } = memoryStore();
      const ref = { kind, name: kind, key: 'one' };
      const table: LiveItem = new Map();
      let atMs = START_MS;
      for (const [number, gapMs] of gapsMs.entries()) {
        atMs += gapMs;
        const attempt = make(random, number, atMs);
        const told = await entities.recordAttempt('acc', ref, attempt);
        const { history, trim } = readEntity(kind, table, attempt);
        expect(told.history).toEqual(history);
        applyInPlace(table, recordAttemptUpdate(kind, attempt));
        await told.trim?.();
        if (trim) applyInPlace(table, trim);
        if (random() < 0.5) continue;
        const label = { label: random() < 0.5 ? 'fraud' : 'legitimate', known_at_ms: atMs } as const;
        const move = { from: null, to: { ...label, source: 'review' }, at_ms: atMs };
        const change = { record: { ulid: 'u', entities: ['one'] }, label, move } as unknown as OutcomeChange;
        await outcomes.save('acc', change, atMs);
        applyInPlace(table, labelUpdate(label));
      }
    }),
    { numRuns: sized(300, 60) },
  );
});
