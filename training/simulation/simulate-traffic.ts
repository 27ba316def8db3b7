import type { IpFacts } from '../../shared/domain/ip/ip-table';
import { FRAUDS, type FraudName, fraudOf } from './frauds';
import { type Crowd, honestPeople } from './people';
import { randomDraws } from './random-draws';
import { addressBook, BY_ADDRESS, DAY_MS, someMerchants, type TimedAttempt } from './world';

export interface SimulatedLine {
  readonly t: number;
  readonly kind: string;
  readonly body: Record<string, unknown>;
  readonly label: 0 | 1;
}

/** A Monday; the simulation has no holidays. */
const START_MS = Date.parse('2025-01-06T00:00:00Z');
const CROWD: Crowd = {
  fromMs: START_MS,
  untilMs: START_MS + 90 * DAY_MS,
  kinds: {
    plain: 0.5,
    household: 0.12,
    office: 0.12,
    traveller: 0.06,
    private: 0.03,
    business: 0.05,
    forgetful: 0.12,
  },
  newcomers: 0.35,
  offices: 8,
  businessPace: 1,
  treats: 0.02,
};

/** Three months of many shops' traffic, in chronological order: honest people and every kind of fraud. */
export function simulateTraffic(
  count: number,
  seed: number,
  ips: { lookup(ip: string): IpFacts | undefined },
): SimulatedLine[] {
  const draws = randomDraws(seed);
  const addresses = addressBook(draws, ips, BY_ADDRESS);
  const merchants = someMerchants(draws);
  const habits = { spread: [0.3, 0.9], perDay: [0.05, 0.8], peakHour: [9, 21] } as const;
  let cards = 0;
  const world = { draws, addresses, merchants, habits, cardOf: () => `card-${cards++}` };
  const { people, attempts } = honestPeople(world, count, CROWD);
  for (const [name, [, perThousand]] of Object.entries(FRAUDS)) {
    const cases = Math.max(Math.sign(perThousand), Math.round((perThousand * count) / 1000));
    for (let i = 0; i < cases; i++) {
      attempts.push(...fraudOf(world, name as FraudName, `${name}-${i}`, { ...CROWD, people }));
    }
  }
  return attempts.map(lineOf).sort((a, b) => a.t - b.t);
}

function lineOf({ at_ms, attempt, label }: TimedAttempt): SimulatedLine {
  if (attempt.kind === 'payment') return { t: at_ms, kind: 'transaction', label, body: { ...attempt.body } };
  const { event_type, ...body } = attempt.body;
  return { t: at_ms, kind: event_type, label, body };
}
