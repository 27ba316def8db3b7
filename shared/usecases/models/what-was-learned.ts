import { DEFAULT_SETTINGS } from '../../domain/accounts/account';
import { byAccount } from '../../domain/models/account-shares';
import type { SaidOfRows } from '../../domain/models/evaluation/evaluate';
import type { ModelArtefact } from '../../domain/models/model-artefact';
import { pathAttributor } from '../../domain/models/path-attribution';
import { storedSignals } from '../../domain/models/row-scorer';
import { inputReader, partFor } from '../../domain/models/scoring-model';
import { observedOf, vectorOf } from '../../domain/models/training-row';
import { decide } from '../../domain/screening/decide';
import { featureLabel } from '../../domain/screening/feature-words';
import type { LabelledRow } from './labelled-rows';

/** A champion and a challenger on the same rows. */
export interface LearnedInput {
  readonly rows: readonly LabelledRow[];
  readonly champion: ModelArtefact | undefined;
  readonly challenger: ModelArtefact;
  readonly said: { readonly champion: SaidOfRows; readonly challenger: SaidOfRows };
}

const MOST_NAMED = 3;
/** A feature with less of the gain, or of what found new fraud, is not worth a word. */
const LEAST_SHARE = 0.05;

/** A challenger's lessons that the champion lacks, in sentences: the fraud that only it stops, by what, and where it looks. */
export function whatWasLearned(input: LearnedInput): string[] {
  const { rows, said } = input;
  const isStopped = ({ riskScores }: SaidOfRows, i: number) =>
    decide(riskScores[i] as number, DEFAULT_SETTINGS) !== 'allow';
  const fraud = rows.flatMap(({ label }, i) => (label === 1 ? [i] : []));
  const missed = fraud.filter((i) => !isStopped(said.champion, i));
  const found = missed.filter((i) => isStopped(said.challenger, i)).map((i) => rows[i] as LabelledRow);
  const lost = fraud.filter((i) => isStopped(said.champion, i) && !isStopped(said.challenger, i)).length;
  return [
    ...(missed.length === 0
      ? [`The champion stopped all ${fraud.length} newest frauds.`]
      : [
          `Stops ${found.length} of the ${missed.length} newest frauds that the champion allowed${causes(found, input)}.`,
        ]),
    ...signalsOf(found),
    ...(lost > 0
      ? [`No longer stops ${lost} of the ${fraud.length - missed.length} frauds that the champion stopped.`]
      : []),
    ...attention(input),
  ];
}

/** The largest first, those that matter. */
function named(shares: ReadonlyMap<string, number>, write: (share: number, name: string) => string): string {
  return [...shares]
    .filter(([, share]) => share >= LEAST_SHARE)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_NAMED)
    .map(([name, share]) => `${featureLabel(name)} (${write(share, name)})`)
    .join(', ');
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** By which features the forest finds what the champion missed: their shares of everything that raised those scores. */
function causes(rows: readonly LabelledRow[], { challenger }: LearnedInput): string {
  const raised = new Map<string, number>();
  let all = 0;
  for (const [account_id, own] of byAccount(rows)) {
    const part = partFor(challenger, account_id);
    const attribute = pathAttributor(part.forest);
    const read = inputReader(part);
    for (const row of own) {
      const vector = vectorOf(row);
      const facts = { observed: observedOf(row), account_id };
      attribute(read(vector, facts, storedSignals(vector))).contributions.forEach((by, i) => {
        if (by <= 0) return;
        const name = part.forest.featureNames[i] as string;
        raised.set(name, (raised.get(name) ?? 0) + by);
        all += by;
      });
    }
  }
  const text = named(new Map([...raised].map(([name, by]) => [name, by / all])), percent);
  return text === '' ? '' : `, mostly by ${text}`;
}

function signalsOf(rows: readonly LabelledRow[]): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const { name, log_odds } of storedSignals(vectorOf(row))) {
      if (log_odds > 0) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_NAMED);
  return most.length === 0 ? [] : [`Signals on them: ${most.map(([name, count]) => `${name} (${count})`).join(', ')}.`];
}

function attention({ champion, challenger }: LearnedInput): string[] {
  const before = new Map(champion?.card.features.map(({ name, gain }) => [name, gain]));
  const grown = new Map(challenger.card.features.map(({ name, gain }) => [name, gain - (before.get(name) ?? 0)]));
  const write = (rise: number, name: string) =>
    `${percent(before.get(name) ?? 0)} → ${percent((before.get(name) ?? 0) + rise)} of its gain`;
  const text = named(grown, write);
  return text === '' ? [] : [`Looks more at ${text}.`];
}
