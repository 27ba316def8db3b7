import { writeFileSync } from 'node:fs';
import { progressBar } from '../../shared/cli/progress-bar';
import type { AfdMapping } from '../../shared/domain/afd/afd-mapping';
import { insightScore } from '../../shared/domain/afd/afd-score';
import { auc } from '../../shared/domain/models/evaluation/ranking-curve';
import type { Decision } from '../../shared/domain/screening/decide';
import { loadBaseModel } from '../../shared/runtime/base-model-file';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import type { ImportRun } from '../import/import-history';
import { readAfdCsv } from '../import/read-afd-csv';
import { replay } from '../replay/replay';
import { count, type Html, html, STYLE } from '../report/charts';

/** One event with Amazon's score and ours, both from 0 to 1000. */
export interface ScoredEvent {
  /** Its line in the file, the header being the first. */
  readonly line: number;
  readonly theirs: number;
  readonly ours: number;
  readonly decision: Decision;
  readonly label?: 0 | 1 | undefined;
}

/** Changes at a threshold that both scales have: it stands for the same false positives. */
export interface Flips {
  readonly threshold: number;
  readonly both: number;
  /** Reached it there, and no longer. */
  readonly dropped: readonly ScoredEvent[];
  /** Reaches it now, and did not. */
  readonly added: readonly ScoredEvent[];
}

export interface Agreement {
  readonly events: number;
  readonly fraud: number;
  readonly legitimate: number;
  /** Spearman's: 1 if both rank alike, 0 if they have nothing to do with each other. Undefined if either is constant. */
  readonly rank_correlation: number | undefined;
  /** Of both scores, where there are labels of both kinds. */
  readonly auc: { readonly theirs: number; readonly ours: number } | undefined;
  readonly flips: readonly Flips[];
}

const THRESHOLDS: readonly number[] = [600, 900];

/** Ranks with ties in the middle of their places. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).sort((a, b) => a.value - b.value);
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && order[to + 1]?.value === order[from]?.value) to += 1;
    for (let i = from; i <= to; i++) ranks[order[i]?.at as number] = (from + to) / 2;
    from = to + 1;
  }
  return ranks;
}

export function rankCorrelation(one: readonly number[], other: readonly number[]): number | undefined {
  const [a, b] = [ranksOf(one), ranksOf(other)];
  const mean = (a.length - 1) / 2;
  let [both, ofA, ofB] = [0, 0, 0];
  a.forEach((rank, i) => {
    const [da, db] = [rank - mean, (b[i] as number) - mean];
    both += da * db;
    ofA += da * da;
    ofB += db * db;
  });
  return ofA === 0 || ofB === 0 ? undefined : both / Math.sqrt(ofA * ofB);
}

export function compareScores(events: readonly ScoredEvent[]): Agreement {
  const labelled = events.filter(({ label }) => label !== undefined);
  const labels = Uint8Array.from(labelled, ({ label }) => label as number);
  const fraud = labels.reduce((sum, label) => sum + label, 0);
  const legitimate = labels.length - fraud;
  const aucOf = (score: (event: ScoredEvent) => number) => auc(labelled.map(score), labels);
  return {
    events: events.length,
    fraud,
    legitimate,
    rank_correlation: rankCorrelation(
      events.map(({ theirs }) => theirs),
      events.map(({ ours }) => ours),
    ),
    auc:
      fraud > 0 && legitimate > 0
        ? { theirs: aucOf(({ theirs }) => theirs), ours: aucOf(({ ours }) => ours) }
        : undefined,
    flips: THRESHOLDS.map((threshold) => ({
      threshold,
      both: events.filter(({ theirs, ours }) => theirs >= threshold && ours >= threshold).length,
      dropped: events.filter(({ theirs, ours }) => theirs >= threshold && ours < threshold),
      added: events.filter(({ theirs, ours }) => theirs < threshold && ours >= threshold),
    })),
  };
}

const SIZE = 320;
const EDGE = 44;
const CELLS = 25;
const MOST_SHOWN = 20;

const at = (score: number): number => EDGE + (score / 1000) * SIZE;
const across = (score: number): string => at(score).toFixed(1);
const up = (score: number): string => (SIZE + EDGE - (score / 1000) * SIZE + 6).toFixed(1);

/** Score against score: the darker a square, the more events. */
function scatter(events: readonly ScoredEvent[]): Html {
  const counts = new Map<number, number>();
  const cellOf = (score: number): number => Math.min(CELLS - 1, Math.floor((score / 1000) * CELLS));
  for (const { theirs, ours } of events) {
    const cell = cellOf(theirs) * CELLS + cellOf(ours);
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const most = Math.log1p(Math.max(1, ...counts.values()));
  const side = SIZE / CELLS;
  const squares = [...counts].map(([cell, events]) => {
    const [x, y] = [Math.floor(cell / CELLS), cell % CELLS];
    const shade = (0.15 + (0.85 * Math.log1p(events)) / most).toFixed(2);
    const corner = [(EDGE + x * side).toFixed(1), (SIZE + 6 - (y + 1) * side + EDGE).toFixed(1)];
    return html`<rect x="${corner[0]}" y="${corner[1]}" width="${side.toFixed(1)}" height="${side.toFixed(1)}" fill="#1f5f8b" fill-opacity="${shade}"><title>${count(events)} events</title></rect>`;
  });
  const ticks = [0, 250, 500, 750, 1000].map(
    (score) =>
      html`<text class="tick" x="${across(score)}" y="${SIZE + EDGE + 22}" text-anchor="middle">${score}</text><text class="tick" x="${EDGE - 6}" y="${up(score)}" dy="4" text-anchor="end">${score}</text>`,
  );
  return html`<figure><figcaption>Score against score</figcaption>
<svg viewBox="0 0 ${SIZE + EDGE + 16} ${SIZE + EDGE + 46}" role="img" aria-label="Amazon's score across, ours up; darker squares hold more events">
${squares}${ticks}
<text class="axis" x="${EDGE + SIZE / 2}" y="${SIZE + EDGE + 42}" text-anchor="middle">Amazon's score</text>
<text class="axis" x="10" y="${EDGE + SIZE / 2}" text-anchor="middle" transform="rotate(-90 10 ${EDGE + SIZE / 2})">our score, on Amazon's scale</text>
</svg></figure>`;
}

const labelText = ({ label }: ScoredEvent): string => (label === undefined ? '' : label === 1 ? 'fraud' : 'legitimate');

const rows = (events: readonly ScoredEvent[]): Html =>
  html`<table><thead><tr><th>Line</th><th>Amazon</th><th>Ours</th><th>Our decision</th><th>Label</th></tr></thead><tbody>
${events.slice(0, MOST_SHOWN).map((event) => html`<tr><td>${event.line}</td><td>${event.theirs}</td><td>${event.ours}</td><td>${event.decision}</td><td>${labelText(event)}</td></tr>`)}
</tbody></table>${events.length > MOST_SHOWN && html`<p class="soft">The first ${MOST_SHOWN} of ${count(events.length)}.</p>`}`;

const frauds = (events: readonly ScoredEvent[]): string => {
  const labelled = events.filter(({ label }) => label !== undefined);
  const fraud = labelled.filter(({ label }) => label === 1).length;
  return labelled.length === 0 ? '' : ` (${count(fraud)} of ${count(labelled.length)} labelled ones are fraud)`;
};

const section = ({ threshold, both, added, dropped }: Flips): Html => html`<h2>At ${threshold}</h2>
<p>${count(both)} events reach ${threshold} with both. ${count(added.length)} reach it now and did not${frauds(added)}; ${count(dropped.length)} did and no longer do${frauds(dropped)}.</p>
${added.length > 0 && html`<h3>Would be looked at now, and were not</h3>${rows([...added].sort((a, b) => b.ours - a.ours))}`}
${dropped.length > 0 && html`<h3>Were looked at, and would not be now</h3>${rows([...dropped].sort((a, b) => b.theirs - a.theirs))}`}`;

const shown = (value: number | undefined): string => (value === undefined ? 'not defined' : value.toFixed(3));

export function renderAgreement(file: string, agreement: Agreement, events: readonly ScoredEvent[]): string {
  const { auc } = agreement;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Agreement with Amazon Fraud Detector</title><style>${STYLE}</style></head>
<body><main>
<h1>Agreement with Amazon Fraud Detector</h1>
<p class="soft">${file}: ${count(agreement.events)} events with both scores, ${count(agreement.fraud)} labelled fraud and ${count(agreement.legitimate)} legitimate. Ours were screened in order of time with the base model, which has learned from none of them; 600 and 900 stand for 10% and 2% false positives on both scales, ours as measured on simulated traffic.</p>
<table><tbody>
<tr><th>Rank correlation</th><td>${shown(agreement.rank_correlation)}</td></tr>
<tr><th>AUC, Amazon</th><td>${auc ? shown(auc.theirs) : 'needs labels of both kinds'}</td></tr>
<tr><th>AUC, ours</th><td>${auc ? shown(auc.ours) : 'needs labels of both kinds'}</td></tr>
</tbody></table>
${scatter(events)}
${agreement.flips.map(section)}
</main></body></html>
`.text;
}

/** Names of the score column that Amazon's exports add to an event. */
const SCORE = /_insightscore$|^model_?scores?$|^score$/i;
const RESULT = /_insightscore$|^model_?scores?$|^score$|^outcomes?$|^status$|^rule_?results?$/i;

/** The number in a cell: a plain one, or the first in `{"my_model_insightscore": 912.0}`. */
export function scoreIn(cell: string | undefined): number | undefined {
  const found = /(?:^|[:\s])(\d{1,4}(?:\.\d+)?)\s*[,}]?/.exec((cell ?? '').trim())?.[1];
  const score = Number(found);
  return found !== undefined && score <= 1000 ? score : undefined;
}

export interface AgreementOrder {
  readonly file: string;
  readonly mapping: AfdMapping;
  /** The column with Amazon's score. @default found by its name */
  readonly score?: string | undefined;
  readonly out: string;
}

export async function agreement(order: AgreementOrder, { directory, tell }: ImportRun): Promise<string> {
  const { file, mapping, score: column, out } = order;
  const theirs = new Map<number, number>();
  let bad = 0;
  const isScore = (name: string): boolean => (column === undefined ? SCORE.test(name) : name === column);
  const { history } = await readAfdCsv(
    file,
    mapping,
    () => {
      bad += 1;
    },
    {
      skip: (name) => isScore(name) || RESULT.test(name),
      onRow: (i, record) => {
        const cell = Object.keys(record).find(isScore);
        const score = cell === undefined ? undefined : scoreIn(record[cell]);
        if (score !== undefined) theirs.set(i, score);
      },
    },
  );
  if (theirs.size === 0) {
    throw new Error(`No column with Amazon's score in ${file}: name it with --score. Expected …_insightscore.`);
  }
  const bar = progressBar('events', history.length);
  const events: ScoredEvent[] = [];
  const wiring = { ...replayWiring(directory), model: loadBaseModel(directory) };
  await replay(history.lines(), wiring, ({ i, risk_score, decision, label }) => {
    bar.step();
    const score = theirs.get(i);
    if (score === undefined) return;
    events.push({ line: i + 2, theirs: score, ours: insightScore(risk_score), decision, label: label ?? undefined });
  });
  tell(bar.stop());
  const compared = compareScores(events);
  writeFileSync(out, renderAgreement(file, compared, events));
  const { rank_correlation, auc, flips } = compared;
  return [
    `${events.length} events with both scores${bad > 0 ? `, ${bad} unusable rows left out` : ''}`,
    `rank correlation ${rank_correlation?.toFixed(3) ?? 'not defined'}`,
    auc ? `AUC ${auc.theirs.toFixed(3)} Amazon, ${auc.ours.toFixed(3)} ours` : 'AUC needs labels of both kinds',
    ...flips.map(
      ({ threshold, both, added, dropped }) =>
        `at ${threshold}: ${both} with both, ${added.length} only now, ${dropped.length} no longer`,
    ),
    `Written to ${out}`,
  ].join('\n');
}
