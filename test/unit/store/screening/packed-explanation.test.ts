import fc from 'fast-check';
import type { Contribution } from '../../../../shared/domain/screening/score';
import type { WhatIf } from '../../../../shared/domain/screening/what-if';
import { packExplanation, unpackExplanation } from '../../../../shared/store/screening/packed-explanation';
import { toScreening } from '../../../../shared/store/screening/screening-reader';
import { screeningItem } from '../../../../shared/store/screening/screening-store';
import { screened } from '../../../support/changes';

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
