import { byAccount } from './account-shares';
import { type Departure, isAccepted, type LabelOrigin } from './label-reviews';
import type { LabelReview } from './registry-state';

/** When labels contradict the rest. Each value is explained in docs/model-operations.md. */
export const DEPARTURE_RULE = {
  /** Mean distance between an actor's share of fraud and that of the rest of the account, at the same scores. */
  most: 0.4,
  /** With fewer labels on either side, an actor is not compared; with fewer of the rest in a band, that band is not. */
  least_labels: 50,
  least_of_rest: 20,
} as const;

/** A label by a person, with the champion's score of its screening. */
export interface ScoredLabel extends LabelOrigin {
  readonly label: 0 | 1;
  readonly risk_score: number;
  readonly probability: number;
}

/** How one analyst or key labels, compared with the model and with others of the account. */
export interface ActorStatistics {
  readonly whose: string;
  readonly labels: number;
  readonly fraud: number;
  /** 0 to 1; null if there is too little to compare. */
  readonly departs_from_others: number | null;
  readonly departs_from_model: number;
  readonly from: string | null;
}

const BANDS = 10;
const bandOf = (score: number): number => Math.min(BANDS - 1, Math.floor(score / BANDS));

/**
 * Statistics of every analyst and key, over all their labels and over those since `sinceMs`. Scores are compared band by
 * band: people who only see what scores high find more fraud than others, without contradicting anybody.
 */
export function labelStatistics(labels: readonly ScoredLabel[], sinceMs: number | undefined): ActorStatistics[] {
  return [...byAccount(labels)].flatMap(([account_id, own]) => {
    const everybody = tally(own);
    const actors = new Map<string, ScoredLabel[]>();
    for (const label of own) {
      for (const actor of label.actors ?? []) {
        const group = actors.get(actor);
        if (group) group.push(label);
        else actors.set(actor, [label]);
      }
    }
    return [...actors].flatMap(([actor, given]) => {
      const whose = `${account_id}/${actor}`;
      const rest = everybody.map(({ rows, fraud }, band) => {
        const mine = tally(given)[band] as Tally;
        return { rows: rows - mine.rows, fraud: fraud - mine.fraud };
      });
      const all = statisticsOf(whose, given, rest, null);
      if (sinceMs === undefined) return [all];
      const recent = given.filter(({ labeled_at_ms }) => labeled_at_ms > sinceMs);
      if (recent.length === given.length || recent.length === 0) return [all];
      return [all, statisticsOf(whose, recent, rest, new Date(sinceMs).toISOString())];
    });
  });
}

interface Tally {
  rows: number;
  fraud: number;
}

function tally(labels: readonly ScoredLabel[]): Tally[] {
  const bands = Array.from({ length: BANDS }, () => ({ rows: 0, fraud: 0 }));
  for (const { risk_score, label } of labels) {
    const band = bands[bandOf(risk_score)] as Tally;
    band.rows++;
    band.fraud += label;
  }
  return bands;
}

function statisticsOf(
  whose: string,
  labels: readonly ScoredLabel[],
  rest: readonly Tally[],
  from: string | null,
): ActorStatistics {
  let compared = 0;
  let distance = 0;
  const restLabels = rest.reduce((sum, { rows }) => sum + rows, 0);
  tally(labels).forEach(({ rows, fraud }, band) => {
    const others = rest[band] as Tally;
    if (others.rows < DEPARTURE_RULE.least_of_rest) return;
    compared += rows;
    distance += Math.abs(fraud - (rows * others.fraud) / others.rows);
  });
  const promised = Array.from({ length: BANDS }, () => 0);
  for (const { risk_score, probability } of labels) {
    promised[bandOf(risk_score)] = (promised[bandOf(risk_score)] as number) + probability;
  }
  const fromModel = tally(labels).reduce(
    (sum, { fraud }, band) => sum + Math.abs(fraud - (promised[band] as number)),
    0,
  );
  return {
    whose,
    labels: labels.length,
    fraud: labels.reduce((sum, { label }) => sum + label, 0),
    departs_from_others: Math.min(compared, restLabels) < DEPARTURE_RULE.least_labels ? null : distance / compared,
    departs_from_model: fromModel / labels.length,
    from,
  };
}

/** Actors whose labels depart too far; if only the newest do, only those. */
export function departuresIn(statistics: readonly ActorStatistics[], reviews: readonly LabelReview[]): Departure[] {
  const tooFar = statistics.filter(
    ({ whose, departs_from_others }) => (departs_from_others ?? 0) > DEPARTURE_RULE.most && !isAccepted(reviews, whose),
  );
  const recent = new Set(tooFar.flatMap(({ whose, from }) => (from === null ? [] : [whose])));
  return tooFar
    .filter(({ whose, from }) => from !== null || !recent.has(whose))
    .map(({ whose, from, labels, departs_from_others }) => ({
      whose,
      from,
      labels,
      found: `departs by ${((departs_from_others ?? 0) * 100).toFixed(0)}% from the rest of the account at the same scores`,
    }));
}
