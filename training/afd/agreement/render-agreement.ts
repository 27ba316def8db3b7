import { type Html, html } from '../../report/html';
import { count } from '../../report/number-format';
import { STYLE } from '../../report/style';
import type { Agreement, Flips, ScoredEvent } from './compare-scores';

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

/** A complete page: no scripts, no requests. */
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
