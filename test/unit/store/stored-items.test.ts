import type { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import type { OutcomeChange } from '../../../shared/domain/cases/outcome';
import type { Contribution } from '../../../shared/domain/screening/score';
import type { WhatIf } from '../../../shared/domain/screening/what-if';
import { newUlid } from '../../../shared/runtime/ids';
import { labelUpdate } from '../../../shared/store/entities/label-update';
import { readEntity } from '../../../shared/store/entities/read-entity';
import { recordAttemptUpdate } from '../../../shared/store/entities/record-attempt-update';
import { labelKey } from '../../../shared/store/keys';
import { addDigits, applyInPlace } from '../../../shared/store/memory/apply-update';
import { memoryStore } from '../../../shared/store/memory/memory-store';
import { labelReader } from '../../../shared/store/models/label-store';
import { packExplanation, unpackExplanation } from '../../../shared/store/screening/packed-explanation';
import { toScreening } from '../../../shared/store/screening/screening-reader';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import type { LiveItem } from '../../../shared/store/sdk/attribute-value';
import {
  DAY_MS,
  generator,
  hostileAttempt,
  KINDS,
  ordinaryAttempt,
  START_MS,
} from '../../support/screening/live-through';
import { sized } from '../../support/sized';
import { screened } from '../../support/webhooks/changes';

describe('memory store', () => {
  it('adds numbers exactly, whatever their length', () => {
    const digits = fc.bigInt({ min: -(10n ** 31n), max: 10n ** 31n });
    const packed = fc.bigInt({ min: 0n, max: 10n ** 29n });
    const near = fc.constantFrom(0n, 1n, 10n ** 15n - 1n, 10n ** 15n, 10n ** 29n - 1n);
    fc.assert(
      fc.property(fc.oneof(digits, packed, near), fc.oneof(digits, packed, near), (a, b) => {
        expect(addDigits(`${a}`, `${b}`)).toBe(`${a + b}`);
      }),
    );
  });

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
});

describe('label pages', () => {
  const MAY_MS = Date.UTC(2026, 4, 3);
  const ULIDS = Array.from({ length: 7 }, (_, i) => newUlid(MAY_MS + i * 60_000));
  const item = (subject: number, number: number, label: string, source = 'case') => {
    const ulid = ULIDS[subject] as string;
    return { ...labelKey('acc_1', ulid, MAY_MS, number), subject_id: `txn_${ulid}`, label, source };
  };
  /** Some subjects were labelled more than once, one was sampled and its label withdrawn, one has nothing left. */
  const ITEMS = [
    item(0, 1, 'fraud'),
    item(1, 0, 'legitimate', 'sample'),
    item(1, 1, 'fraud'),
    item(1, 2, 'none'),
    item(2, 1, 'fraud'),
    item(2, 2, 'legitimate'),
    item(3, 1, 'fraud'),
    item(3, 2, 'none'),
    item(4, 1, 'legitimate'),
    item(5, 1, 'legitimate'),
    item(5, 2, 'legitimate'),
    item(5, 3, 'fraud'),
    item(6, 1, 'legitimate'),
  ].sort((a, b) => (a.sk < b.sk ? -1 : 1));
  const VALID = ['0 fraud', '1 legitimate', '2 legitimate', '4 legitimate', '5 fraud', '6 legitimate'];

  /** Answers queries as DynamoDB does, so many items per page. */
  function labelsInPagesOf(size: number) {
    const send = async ({ input }: QueryCommand) => {
      const from = input.ExclusiveStartKey?.sk ?? '';
      const rest = ITEMS.filter(({ pk, sk }) => pk === input.ExpressionAttributeValues?.[':pk'] && sk > from);
      const Items = rest.slice(0, size);
      const last = Items.at(-1);
      return { Items, ...(rest.length > size ? { LastEvaluatedKey: { pk: last?.pk, sk: last?.sk } } : {}) };
    };
    return labelReader({ client: { send } as unknown as DynamoDBDocumentClient, name: 'table' });
  }

  it.each([true, false])(
    'training may read any copy, at half the price; others find what was just said (%s)',
    async (ConsistentRead) => {
      const asked: unknown[] = [];
      const send = async ({ input }: QueryCommand) => {
        asked.push(input.ConsistentRead);
        return { Items: [] };
      };
      const table = { client: { send } as unknown as DynamoDBDocumentClient, name: 'table' };
      await labelReader(table, ConsistentRead ? undefined : { ConsistentRead }).storedInMonth('acc_1', '2026-05');
      expect(asked).toEqual([ConsistentRead]);
    },
  );

  const shown = ({ subject_id, label }: { subject_id: string; label: string }) =>
    `${ULIDS.indexOf(subject_id.slice(4))} ${label}`;

  it.each([1, 2, 3, 5, 100])('the valid label of each subject is found, however pages of %d cut them', async (size) => {
    expect((await labelsInPagesOf(size).storedInMonth('acc_1', '2026-05')).map(shown)).toEqual(VALID);
  });

  it.each([1, 2, 4])('a walk in pages of %d continues after any subject', async (size) => {
    for (const [at, ulid] of ULIDS.entries()) {
      const labels: string[] = [];
      for await (const page of labelsInPagesOf(size).pagesInMonth('acc_1', '2026-05', ulid)) {
        labels.push(...page.map(shown));
      }
      expect(labels).toEqual(VALID.filter((label) => Number(label.charAt(0)) > at));
    }
  });
});

describe('packed explanation', () => {
  const TESTER = {
    contributions: [
      {
        signal: 'card_testing_pattern',
        points: 44,
        detail: '6 cards tried by this user, 6 transactions in the last hour',
      },
      { signal: 'velocity_spike', points: 11, detail: '6 transactions in 10 minutes; usual for this user: 1 per day' },
      { signal: 'anonymous_ip', points: 6, detail: 'Data-centre IP (AS16509) that this user has used before' },
      { signal: 'model_risk', points: 3, detail: 'Model: device first seen moments ago; 6 cards (device)' },
    ],
    what_if: [{ change: 'known_device', decision: 'allow' }],
  } as const;

  const NOW = Date.parse('2026-11-17T09:00:00.000Z');

  it('is a fraction of the same as JSON', () => {
    expect(JSON.stringify(TESTER).length).toBeGreaterThan(450);
    expect(packExplanation(TESTER).length).toBeLessThan(100);
  });

  it('comes back as it was, from the table and from the stream', () => {
    const contribution: fc.Arbitrary<Contribution> = fc.record({
      signal: fc.string({ unit: 'grapheme' }),
      points: fc.integer({ min: -100, max: 100 }),
      detail: fc.string({ unit: 'binary' }),
    });
    const change: fc.Arbitrary<WhatIf> = fc.record(
      {
        change: fc.constantFrom('amount' as const, 'known_device' as const, 'without_signal' as const),
        at_most: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
        signal: fc.string(),
        decision: fc.constantFrom('allow' as const, 'challenge' as const),
      },
      { requiredKeys: ['change', 'decision'] },
    );
    const explanation = fc.record(
      { contributions: fc.array(contribution), what_if: fc.array(change) },
      { requiredKeys: ['contributions'] },
    );
    fc.assert(
      fc.property(explanation, (given) => {
        const packed = packExplanation(given);
        const expected = JSON.parse(JSON.stringify(given));
        expect(unpackExplanation(packed)).toEqual(expected);
        expect(unpackExplanation(Buffer.from(packed).toString('base64'))).toEqual(expected);
      }),
    );
  });

  it('is read for as long as results are kept: what was packed with the first dictionary', () => {
    const first = 'AKPEXhMTJIPM8KQ1M/xpDdXJqLkdyTpDQxTryE+eqPahRQ7MNjMky3AlZwJplcSoIC5lw8JZA6JOE3faJph4Y2sB';
    expect(unpackExplanation(first)).toEqual(TESTER);
    expect(() => unpackExplanation(Buffer.from([250, 1, 2]))).toThrow('dictionary of a later version');
  });

  describe('the item of a result', () => {
    it.each(['review', 'block'] as const)('has it packed after a %s', (automated_decision) => {
      const record = screened(NOW, { automated_decision, ...TESTER });
      const item = screeningItem('acc', record);
      expect([item.contributions, item.what_if, item.explained]).toEqual([[], undefined, packExplanation(TESTER)]);
      expect(toScreening(item)).toEqual(record);
    });

    it('has it as it is after any other decision, as all results had before', () => {
      const allowed = screened(NOW, { automated_decision: 'allow', contributions: TESTER.contributions });
      const item = screeningItem('acc', allowed);
      expect([item.contributions, item.explained]).toEqual([TESTER.contributions, undefined]);
      expect(toScreening(item)).toEqual(allowed);
      const { explained, ...former } = screeningItem('acc', screened(NOW, { automated_decision: 'review' }));
      expect(toScreening({ ...former, ...TESTER })).toMatchObject(TESTER);
    });
  });
});
