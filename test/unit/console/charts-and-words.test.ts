import fc from 'fast-check';
import { labelled, roundUp, waterfallScale, waterfallSteps } from '../../../console/src/charts/scale';
import { elapsedShare, intervalLabel, shortTime, spokenTime, timeAgo } from '../../../console/src/text/time';
import {
  groupRows,
  money,
  nameOf,
  percent,
  signedPoints,
  subjectOf,
  supposedText,
  tellingSignals,
  visible,
} from '../../../console/src/text/words';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a waterfall', () => {
  it('goes from the base to the score without a gap, up before down, large before small', () => {
    const contribution = fc.record({
      signal: fc.string({ minLength: 1 }),
      points: fc.integer({ min: -60, max: 90 }).filter((points) => points !== 0),
      detail: fc.string(),
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.array(contribution, { maxLength: 12 }), (base, contributions) => {
        const steps = waterfallSteps(base, contributions);
        const sum = contributions.reduce((total, { points }) => total + points, base);
        expect(steps[0]).toMatchObject({ kind: 'base', from: 0, to: base });
        expect(steps.at(-1)).toMatchObject({ kind: 'total', from: 0, to: sum });
        const changes = steps.slice(1, -1);
        changes.forEach((step, i) => {
          expect(step.from).toBe(steps[i]?.to);
          expect(step.to - step.from).toBe(step.points);
        });
        const kinds = changes.map(({ kind }) => kind);
        expect(kinds).toEqual([...kinds].sort((a, b) => (a === b ? 0 : a === 'up' ? -1 : 1)));
        for (const { to } of steps) expect(to).toBeLessThanOrEqual(waterfallScale(steps));
      }),
    );
  });
});

describe('an axis', () => {
  it('ends at a round number that holds everything', () => {
    expect([0, 1, 4, 5, 7, 23, 26, 99, 101, 1234].map(roundUp)).toEqual([4, 4, 4, 6, 8, 30, 30, 100, 120, 1600]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        (value) => roundUp(value) >= value && roundUp(value) % 2 === 0,
      ),
    );
  });

  it('labels about as many columns as there is room for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 20 }), (count, about) => {
        const hasLabel = labelled(count, about);
        const labels = Array.from({ length: count }, (_, i) => hasLabel(i)).filter(Boolean).length;
        expect(labels).toBeGreaterThan(0);
        expect(labels).toBeLessThanOrEqual(about);
      }),
    );
  });
});

describe('words', () => {
  it.each([
    [{ change: 'amount', at_most: 180, decision: 'allow' }, 'Allowed up to €180.00'],
    [{ change: 'known_device', decision: 'allow' }, 'On a known device: allowed'],
    [{ change: 'known_place', decision: 'challenge' }, 'From a known place: challenged'],
    [{ change: 'without_signal', signal: 'shared_ip', decision: 'review' }, 'Without “Shared IP”: held for review'],
  ] as const)('say what would have been: %j', (supposed, text) => {
    expect(supposedText(supposed, 'EUR')).toBe(text);
  });

  it.each([
    [20_000, 'now', 'less than a minute'],
    [MINUTE, '1 min', '1 minute'],
    [3 * HOUR + 5 * MINUTE, '3 h 5 min', '3 hours 5 minutes'],
    [DAY, '1 d', '1 day'],
    [6 * DAY + 23 * HOUR, '6 d 23 h', '6 days 23 hours'],
    [40 * DAY + 23 * HOUR, '40 d', '40 days'],
    [-5 * HOUR, 'now', 'less than a minute'],
  ])('for %d ms are %s and %s', (ms, short, spoken) => {
    expect([shortTime(ms), spokenTime(ms)]).toEqual([short, spoken]);
  });

  it('say how long ago, and how much of a span is over', () => {
    const at = Date.parse('2026-11-14T10:00:00Z');
    expect(timeAgo('2026-11-14T09:15:00Z', at)).toBe('45 min ago');
    expect(timeAgo('2026-11-14T10:00:00Z', at)).toBe('just now');
    expect(elapsedShare('2026-11-14T00:00:00Z', '2026-11-15T00:00:00Z', at)).toBeCloseTo(10 / 24);
    expect(elapsedShare('2026-11-10T00:00:00Z', '2026-11-11T00:00:00Z', at)).toBe(1);
  });

  it('name the zone of the hours and days of a chart', () => {
    expect(intervalLabel('2026-11-16T00:00:00.000Z', 'day')).toMatch(/^Mon,? 16 Nov \(UTC\)$/);
    expect(intervalLabel('2026-11-16T09:00:00.000Z', 'hour')).toMatch(/^\w{3},? \d+ Nov,? \d\d:\d\d \S+$/);
  });

  it('leave out the model’s own share beside signals that say something', () => {
    expect(tellingSignals(['model_risk', 'new_device', 'shared_ip'])).toEqual(['new_device', 'shared_ip']);
    expect(tellingSignals(['model_risk'])).toEqual(['model_risk']);
  });

  it('name signals, points, shares and money as people do', () => {
    expect(['velocity_spike', 'shared_ip', 'ip_mismatch'].map(nameOf)).toEqual([
      'Velocity spike',
      'Shared IP',
      'IP mismatch',
    ]);
    expect([signedPoints(23), signedPoints(-4)]).toEqual(['+23', '−4']);
    expect([percent(0), percent(0.0004), percent(0.034), percent(0.62)]).toEqual(['0%', '< 0.1%', '3.4%', '62%']);
    expect([money(1290, 'EUR'), money(5, 'nonsense')]).toEqual(['€1,290.00', '5 nonsense']);
    expect(subjectOf({ subject_type: 'event', event_type: 'password_reset' })).toBe('Password reset');
    expect(subjectOf({ subject_type: 'transaction', amount: 12, currency: 'USD' })).toBe('$12.00');
  });
});

describe('an ID that somebody else chose', () => {
  it('shows what cannot be seen, and is otherwise as it was', () => {
    expect(visible('abc\u202edcba')).toBe('abc‹U+202E›dcba');
    expect(visible('a\u0000b\u200bc\u2028')).toBe('a‹U+0000›b‹U+200B›c‹U+2028›');
    expect(visible('Jürgen 東京 👍')).toBe('Jürgen 東京 👍');
  });
});

describe('groups of cases', () => {
  const at = (minute: number, device: string | null, id: string) => ({
    case_id: id,
    device,
    created_at: new Date(Date.UTC(2026, 2, 1, 10, 59 - minute)).toISOString(),
  });
  const ids = (rows: Parameters<typeof groupRows>[0]) =>
    groupRows(rows).map((group) => group.map((row) => row.case_id).join());

  it('are the cases of one device, each within five minutes of the next, where the first of them stood', () => {
    const rows = [
      at(0, 'd', '1'),
      at(1, 'e', '2'),
      at(2, 'd', '3'),
      at(7, 'd', '4'),
      at(8, null, '5'),
      at(13, 'd', '6'),
    ];
    expect(ids(rows)).toEqual(['1,3,4', '2', '5', '6']);
  });

  it('need three cases, and a device', () => {
    expect(ids([at(0, 'd', '1'), at(1, 'd', '2'), at(2, null, '3'), at(2, null, '4'), at(2, null, '5')])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
  });

  it('keep every case exactly once', () => {
    const row = fc.record({ minute: fc.nat(59), device: fc.constantFrom('d', 'e', null) });
    fc.assert(
      fc.property(fc.array(row), (made) => {
        const rows = made
          .sort((a, b) => a.minute - b.minute)
          .map(({ minute, device }, index) => at(minute, device, String(index)));
        const grouped = groupRows(rows).flat();
        expect(grouped.map(({ case_id }) => case_id).sort()).toEqual(rows.map(({ case_id }) => case_id).sort());
      }),
    );
  });
});
