import { dayOf } from './history-line';
import type { ReplayedLine } from './replay';

const WEEK_MS = 7 * 86_400_000;
/** 1970-01-01 was a Thursday: weeks begin on Mondays. */
const MONDAY_MS = 4 * 86_400_000;
/** A week with fewer honest lines has no share to speak of. */
const LEAST_HONEST = 50;

/** The decisions of one week. */
export interface Week {
  readonly week: string;
  readonly honest: number;
  readonly honest_blocked: number;
  readonly honest_reviewed: number;
  readonly fraud_blocked: number;
}

/** The expectation of one model, and the outcome. */
export interface ModelPeriod {
  readonly version: string;
  readonly lines: number;
  /** The sum of the probabilities it gave. */
  readonly expected: number;
  readonly fraud: number;
}

type Counts<T> = { -readonly [Key in keyof T]: T[Key] };

const NO_DECISIONS = { honest: 0, honest_blocked: 0, honest_reviewed: 0, fraud_blocked: 0 };

export function weekReport() {
  const weeks = new Map<number, Counts<Week>>();
  const models = new Map<string, Counts<ModelPeriod>>();
  return {
    add({ at_ms, decision, probability, model_version }: ReplayedLine, label: 0 | 1): void {
      const mondayMs = at_ms - ((at_ms - MONDAY_MS) % WEEK_MS);
      const counts = weeks.get(mondayMs) ?? { week: dayOf(mondayMs), ...NO_DECISIONS };
      weeks.set(mondayMs, counts);
      if (label === 0) counts.honest++;
      if (label === 0 && decision === 'block') counts.honest_blocked++;
      if (label === 0 && decision === 'review') counts.honest_reviewed++;
      if (label === 1 && decision === 'block') counts.fraud_blocked++;
      const period = models.get(model_version) ?? { version: model_version, lines: 0, expected: 0, fraud: 0 };
      models.set(model_version, period);
      period.lines++;
      period.expected += probability;
      period.fraud += label;
    },
    finish: () => ({ weeks: [...weeks.values()], models: [...models.values()] }),
  };
}

export function mergeWeeks(weeks: readonly Week[]): Week[] {
  const merged = new Map<string, Counts<Week>>();
  for (const { week, ...counts } of weeks) {
    const before = merged.get(week);
    if (before === undefined) merged.set(week, { week, ...counts });
    else for (const name of Object.keys(counts) as Array<keyof typeof counts>) before[name] += counts[name];
  }
  return [...merged.values()].sort((a, b) => (a.week < b.week ? -1 : 1));
}

export function mergePeriods(models: readonly ModelPeriod[]): ModelPeriod[] {
  const merged = new Map<string, Counts<ModelPeriod>>();
  for (const { version, ...counts } of models) {
    const before = merged.get(version);
    if (before === undefined) merged.set(version, { version, ...counts });
    else for (const name of Object.keys(counts) as Array<keyof typeof counts>) before[name] += counts[name];
  }
  return [...merged.values()];
}

const blocked = ({ honest, honest_blocked }: Week): number => honest_blocked / Math.max(1, honest);
const reviewed = ({ honest, honest_reviewed }: Week): number => honest_reviewed / Math.max(1, honest);
/** 1 if nothing was blocked. */
const precision = ({ honest_blocked, fraud_blocked }: Week): number =>
  honest_blocked === 0 ? 1 : fraud_blocked / (honest_blocked + fraud_blocked);

/** The worst week by each measure; undefined if no week has enough honest lines. */
export function worstWeeks(weeks: readonly Week[]) {
  const counted = weeks.filter(({ honest }) => honest >= LEAST_HONEST);
  const worst = (badness: (week: Week) => number): Week | undefined =>
    counted.reduce<Week | undefined>(
      (found, week) => (found && badness(found) >= badness(week) ? found : week),
      undefined,
    );
  const [byBlock, byReview, byPrecision] = [worst(blocked), worst(reviewed), worst((week) => 1 - precision(week))];
  if (byBlock === undefined || byReview === undefined || byPrecision === undefined) return undefined;
  return {
    honest_blocked: { week: byBlock.week, share: blocked(byBlock) },
    honest_reviewed: { week: byReview.week, share: reviewed(byReview) },
    block_precision: { week: byPrecision.week, share: precision(byPrecision) },
  };
}

const allPeriods = (models: readonly ModelPeriod[]): ModelPeriod => ({
  version: 'all',
  lines: models.reduce((sum, { lines }) => sum + lines, 0),
  expected: models.reduce((sum, { expected }) => sum + expected, 0),
  fraud: models.reduce((sum, { fraud }) => sum + fraud, 0),
});

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

export function weekText(weeks: readonly Week[], models: readonly ModelPeriod[]): string[] {
  const worst = worstWeeks(weeks);
  return [
    ...(worst === undefined
      ? []
      : [
          '  worst week (from Monday)',
          `    honest blocked        ${percent(worst.honest_blocked.share).padStart(8)}   ${worst.honest_blocked.week}`,
          `    honest reviewed       ${percent(worst.honest_reviewed.share).padStart(8)}   ${worst.honest_reviewed.week}`,
          `    precision of blocks   ${percent(worst.block_precision.share).padStart(8)}   ${worst.block_precision.week}`,
          '',
        ]),
    '  model                          lines   expected fraud   actual   expected/actual',
    ...[...models, ...(models.length > 1 ? [allPeriods(models)] : [])].map(({ version, lines, expected, fraud }) =>
      [
        `  ${version.padEnd(26)}`,
        String(lines).padStart(9),
        expected.toFixed(1).padStart(16),
        String(fraud).padStart(8),
        (fraud === 0 ? 'none' : (expected / fraud).toFixed(2)).padStart(17),
      ].join(' '),
    ),
    '',
  ];
}
