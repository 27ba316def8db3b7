import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import type { CasesPort } from '../memory/memory-cases';
import type { ScreeningsPort } from '../memory/memory-screenings';
import { openCase, screened } from '../webhooks/changes';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

/** Screenings, and the cases that are opened with them. */
export interface ScreeningsWorld {
  readonly screenings: ScreeningsPort;
  readonly cases: CasesPort;
}

const withoutAmount = (record: ScreeningRecord): ScreeningRecord => {
  const { amount, currency, ...rest } = record;
  return { ...rest, subject_type: 'event', event_type: 'login' };
};

const KINDS: ReadonlyArray<readonly [string, (record: ScreeningRecord) => ScreeningRecord]> = [
  ['an ordinary payment', (record) => record],
  ['an amount beyond what the table takes for a number', (record) => ({ ...record, amount: 1e-200 })],
  ['an event without an amount', withoutAmount],
  [
    'one with everything that is optional',
    (record) => ({
      ...record,
      observed: new Uint8Array([1, 2, 3]),
      thresholds: { review_threshold: 40, block_threshold: 70 },
      counted_by: { 'user#x': 'abc1' },
      shadow: { version: 'm2', risk_score: 17 },
      missing: ['device'],
      entities: ['user#x', 'device#y'],
      contributions: [{ signal: 'new_device', points: 12, detail: 'First use of this device' }],
      vector: packVector(new Float32Array([1, Number.NaN, 0.5])),
      review: { decision: 'block', analyst_id: null, notes: null, reviewed_at: '2026-03-01T10:00:00.000Z' },
      review_count: 1,
    }),
  ],
];

/** Tests that every store of screenings must pass. */
export function describeScreeningsConformance(name: string, makePort: MakePort<ScreeningsWorld>): void {
  describe(`screenings in ${name}`, () => {
    let world: ScreeningsWorld;
    let account: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
    });

    it.each(KINDS)('gives back %s as it was written, to its account only', async (_kind, change) => {
      const record = change(screened(START_MS));
      expect(await world.screenings.find(account, record.ulid)).toBeUndefined();
      await world.screenings.insert(account, record, PATIENT_MS);
      expect(await world.screenings.find(account, record.ulid, PATIENT_MS)).toEqual(record);
      expect(await world.screenings.find(freshAccount(), record.ulid)).toBeUndefined();
    });

    it('writes a screening once: of several with one id the first stays', async () => {
      const record = screened(START_MS);
      const writes = [1, 2, 3].map((risk_score) =>
        world.screenings.insert(account, { ...record, risk_score }, PATIENT_MS).then(
          () => risk_score,
          () => undefined,
        ),
      );
      const written = (await Promise.all(writes)).filter((score) => score !== undefined);
      expect(written).toHaveLength(1);
      expect(await world.screenings.find(account, record.ulid)).toMatchObject({ risk_score: written[0] });
    });

    it('opens a case together with its screening', async () => {
      const record = screened(START_MS, { automated_decision: 'review' });
      const reviewCase = openCase(START_MS, { ulid: record.ulid, amount: '25', currency: 'EUR' });
      await world.screenings.insertWithCase(account, record, reviewCase, PATIENT_MS);
      expect(await world.screenings.find(account, record.ulid)).toEqual(record);
      expect(await world.cases.find(account, record.ulid)).toEqual(reviewCase);
      expect(await world.cases.find(freshAccount(), record.ulid)).toBeUndefined();
    });

    it('opens no case where the screening exists, and counts none', async () => {
      const record = screened(START_MS);
      await world.screenings.insert(account, record, PATIENT_MS);
      const reviewCase = openCase(START_MS, { ulid: record.ulid });
      const second = world.screenings.insertWithCase(account, { ...record, risk_score: 68 }, reviewCase, PATIENT_MS);
      await expect(second).rejects.toThrow('exists already');
      expect(await world.screenings.find(account, record.ulid)).toEqual(record);
      expect(await world.cases.find(account, record.ulid)).toBeUndefined();
      expect((await world.cases.hours(account, START_MS, START_MS)).size).toBe(0);
    });
  });
}
