import fc from 'fast-check';
import {
  DAY_MS,
  generator,
  learn,
  live,
  newLife,
  ordinaryAttempt,
  START_MS,
} from '../../../bench/support/live-through';
import {
  type KnownLabel,
  LABEL_WINDOWS,
  type LabelCount,
  type LabelWindow,
} from '../../../shared/domain/entities/entity-history';
import { readHistory } from '../../../shared/store/entities/read-history';
import { bucketName, LABEL_LEVELS, LABEL_WINDOW_LEVELS, staleAgeMs } from '../../../shared/store/entities/time-buckets';
import type { LiveItem } from '../../../shared/store/sdk/attribute-value';

const SPAN_MS: Readonly<Record<LabelWindow, number>> = { '1d': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS };

/** An entity that was first seen long before the labels. */
const known = () => {
  const life = newLife('user');
  live(life, ordinaryAttempt(generator(1), 0, START_MS - 200 * DAY_MS));
  return life;
};

const recent = (item: LiveItem, atMs: number) => readHistory('user', item, atMs).recent_labels;

const counted = (labels: readonly KnownLabel[], from: number, to: number): LabelCount => {
  const inside = labels.filter(({ known_at_ms }) => known_at_ms > from && known_at_ms <= to);
  return { fraud: inside.filter(({ label }) => label === 'fraud').length, labelled: inside.length };
};

/** A label of a subject, and perhaps a second review of it. */
const labelled = fc.record({
  first: fc.constantFrom('fraud' as const, 'legitimate' as const),
  at: fc.integer({ min: 0, max: 60 * DAY_MS }),
  second: fc.option(
    fc.record({
      label: fc.constantFrom('fraud' as const, 'legitimate' as const),
      later: fc.oneof(fc.integer({ min: 0, max: 2 * DAY_MS }), fc.integer({ min: 0, max: 89 * DAY_MS })),
    }),
    { nil: undefined },
  ),
});

test('a window holds the labels that became known in it, give or take its oldest bucket; a relabel moves its label', () => {
  fc.assert(
    fc.property(fc.array(labelled, { maxLength: 40 }), (subjects) => {
      const reviews = subjects.flatMap(({ first, at, second }) => {
        const label: KnownLabel = { label: first, known_at_ms: START_MS + at };
        const again = second && { label: second.label, known_at_ms: label.known_at_ms + second.later };
        return again ? [[label], [again, label]] : [[label]];
      });
      reviews.sort(([a], [b]) => (a?.known_at_ms ?? 0) - (b?.known_at_ms ?? 0));
      const life = known();
      const holding = new Set<KnownLabel>();
      for (const [label, replaced] of reviews) {
        if (label === undefined) continue;
        // Every review finds the windows as a recount of the labels that hold then.
        const nowMs = label.known_at_ms;
        const windows = recent(life.item, nowMs);
        for (const [window, { bucketMs }] of LABEL_WINDOW_LEVELS) {
          const surely = counted([...holding], nowMs - SPAN_MS[window] + bucketMs, nowMs);
          const atMost = counted([...holding], nowMs - SPAN_MS[window] - bucketMs, nowMs);
          for (const count of ['fraud', 'labelled'] as const) {
            expect(windows[window][count]).toBeGreaterThanOrEqual(surely[count] - 1e-9);
            expect(windows[window][count]).toBeLessThanOrEqual(atMost[count] + 1e-9);
          }
        }
        learn(life, label, replaced);
        holding.add(label);
        if (replaced) holding.delete(replaced);
      }
      const { labels } = readHistory('user', life.item, START_MS);
      const totals = counted([...holding], 0, Number.POSITIVE_INFINITY);
      expect(labels).toEqual({ fraud: totals.fraud, legitimate: totals.labelled - totals.fraud });
    }),
  );
});

test('windowed labels of a simulated quarter are within 1 % of a recount', () => {
  const sums = new Map<LabelWindow, { estimated: number; recounted: number }>();
  for (let seed = 1; seed <= 4; seed++) {
    const random = generator(seed);
    const life = known();
    const labels: KnownLabel[] = [];
    for (let atMs = START_MS; atMs < START_MS + 90 * DAY_MS; ) {
      atMs += Math.round(-Math.log(1 - random()) * 2 * 3_600_000);
      if (atMs > START_MS + 30 * DAY_MS) {
        const windows = recent(life.item, atMs);
        for (const window of LABEL_WINDOWS) {
          const sum = sums.get(window) ?? { estimated: 0, recounted: 0 };
          sum.estimated += windows[window].fraud + windows[window].labelled;
          const { fraud, labelled: all } = counted(labels, atMs - SPAN_MS[window], atMs);
          sum.recounted += fraud + all;
          sums.set(window, sum);
        }
      }
      const label: KnownLabel = { label: random() < 0.2 ? 'fraud' : 'legitimate', known_at_ms: atMs };
      learn(life, label);
      labels.push(label);
    }
  }
  for (const window of LABEL_WINDOWS) {
    const { estimated, recounted } = sums.get(window) ?? { estimated: 0, recounted: 1 };
    expect(Math.abs(estimated / recounted - 1)).toBeLessThan(0.01);
  }
});

test('a label that was given twice is where it would be had it been given once', () => {
  const first = { label: 'fraud', known_at_ms: START_MS } as const;
  for (const laterMs of [0, 3_600_000, 5 * DAY_MS, 25 * DAY_MS, 80 * DAY_MS]) {
    for (const label of ['fraud', 'legitimate'] as const) {
      const second = { label, known_at_ms: START_MS + laterMs };
      const [twice, once] = [known(), known()];
      learn(twice, first);
      learn(twice, second, first);
      learn(once, second);
      expect(recent(twice.item, second.known_at_ms)).toEqual(recent(once.item, second.known_at_ms));
    }
  }
});

const labelNames = new Set(
  LABEL_LEVELS.flatMap((level) => Array.from({ length: level.ring }, (_, index) => bucketName(level, index))),
);
const isLabels = (name: string): boolean => labelNames.has(name);

test('a label leaves no bucket behind that has left its window', () => {
  const random = generator(4);
  const life = known();
  let atMs = START_MS;
  for (let number = 0; number < 400; number++) {
    atMs += Math.round(random() ** 3 * 40 * DAY_MS);
    learn(life, { label: 'fraud', known_at_ms: atMs });
    for (const name in life.item) if (isLabels(name)) expect(staleAgeMs(name, atMs)).toBe(0);
  }
});
