import { evenSteps, linearScale } from '../../shared/charts/axes';
import { coordinate, gridLine, polylinePoints } from '../../shared/charts/svg-path';
import type { AttributeSchema } from '../../shared/domain/models/attribute-schema';
import type { CalibrationBand, Evaluation, ModelEvaluation } from '../../shared/domain/models/evaluation/evaluation';
import type { Point } from '../../shared/domain/models/evaluation/ranking-curve';
import type { ModelCard } from '../../shared/domain/models/model-artefact';
import type { PromotionVerdict } from '../../shared/domain/models/promotion-rule';
import type { StoredEvaluation } from '../../shared/usecases/models/model-files';

export class Html {
  constructor(readonly text: string) {}
}

type Inlay = Html | string | number | null | undefined | false | readonly Inlay[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for anywhere in a page, including quoted attributes. Characters that HTML does not allow are replaced. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that no page may contain.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (found) => ESCAPES[found] as string);

function written(inlay: Inlay): string {
  if (inlay === null || inlay === undefined || inlay === false) return '';
  if (inlay instanceof Html) return inlay.text;
  if (typeof inlay === 'object') return inlay.map(written).join('');
  return escapeHtml(String(inlay));
}

export function html(parts: TemplateStringsArray, ...inlays: readonly Inlay[]): Html {
  return new Html(parts.reduce((text, part, i) => text + written(inlays[i - 1]) + part));
}

/** Numbers for people to read; a value that could not be computed is a dash. */
const format = (options: Intl.NumberFormatOptions) => {
  const formatter = new Intl.NumberFormat('en', options);
  return (value: number | null | undefined): string =>
    Number.isFinite(value) ? formatter.format(value as number) : '–';
};

export const count = format({ maximumFractionDigits: 0 });
export const threeDecimals = format({ minimumFractionDigits: 3, maximumFractionDigits: 3 });
export const percent = format({ style: 'percent', maximumFractionDigits: 1 });
export const dollars = format({ style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
export const signed = format({ minimumFractionDigits: 3, maximumFractionDigits: 3, signDisplay: 'exceptZero' });

/** A timestamp without its seconds; anything else is shown unchanged. */
export const minute = (iso: string): string => iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2 UTC');

/** The page's only style sheet: readable from 320 pixels up, in light and dark mode, on screen and on paper. */
export const STYLE = new Html(`
:root { color-scheme: light dark; --ink: #16202b; --soft: #55626f; --paper: #fff; --panel: #f5f7f9; --rule: #d8dee4;
  --challenger: #0b62d6; --champion: #a14a00; --fraud: #c0262d; --legitimate: #2a7d4f; --good: #1a6b3c; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --soft: #a9b4bf; --paper: #12171d; --panel: #1b222a;
  --rule: #36414c; --challenger: #74adff; --champion: #ffb066; --fraud: #ff8b86; --legitimate: #7fd6a4; --good: #7fd6a4;
  --bad: #ff8b86; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-top: 1px solid var(--rule); padding-top: 1rem; }
p { max-width: 45rem; margin: .5rem 0; } .soft, figcaption, caption { color: var(--soft); }
.verdict { font-weight: 600; } .good { color: var(--good); } .bad { color: var(--bad); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 1rem; }
figure { margin: 0; padding: .75rem; background: var(--panel); border-radius: .5rem; }
figcaption { font-weight: 600; color: var(--ink); } svg { width: 100%; height: auto; display: block; }
.grid { stroke: var(--rule); } .tick, .axis { fill: var(--soft); font: 11px system-ui, sans-serif; }
.line { fill: none; stroke-width: 2.5; } .chance { stroke: var(--soft); stroke-dasharray: 2 4; }
.line.challenger { stroke: var(--challenger); } .line.champion { stroke: var(--champion); stroke-dasharray: 7 4; }
.dot { stroke: var(--paper); } .dot.challenger { fill: var(--challenger); }
.dot.champion { fill: var(--paper); stroke: var(--champion); stroke-width: 2; }
.bar.fraud { fill: var(--fraud); } .bar.legitimate { fill: var(--legitimate); }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: .5rem 0; list-style: none; }
.key span { display: inline-block; width: 1.6em; border-top: 3px solid; vertical-align: middle; margin-right: .4em; }
.key .challenger { border-color: var(--challenger); } .key .champion { border-color: var(--champion); border-top-style: dashed; }
.key .fraud { border-color: var(--fraud); } .key .legitimate { border-color: var(--legitimate); }
.scroll { overflow-x: auto; } .scroll:focus-visible { outline: 2px solid var(--challenger); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
tbody th { font-weight: 500; white-space: normal; min-width: 7rem; }
caption { text-align: left; padding-bottom: .25rem; } th, td { text-align: right; padding: .3rem .6rem;
  border-bottom: 1px solid var(--rule); white-space: nowrap; } th:first-child, td:first-child { text-align: left; }
td.text, th.text { text-align: left; white-space: normal; min-width: 9rem; } code { overflow-wrap: anywhere; }
meter { width: 7rem; } dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 26rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } body { padding: .75rem; } }
tbody th code { white-space: nowrap; }
@media print { tr, figure { break-inside: avoid; } }
`);

export interface ModelReport {
  readonly version: string;
  readonly card: ModelCard;
  readonly attributes: AttributeSchema;
  /** Comparison with the champion; null for a model that was never compared. */
  readonly evaluation: Evaluation | null;
  readonly verdict: PromotionVerdict | null;
  /** Lessons that the champion had not learned, in sentences. */
  readonly learned: readonly string[];
  /** Whose labels taught it, and which were held back; null if unknown. */
  readonly teaching: StoredEvaluation['teaching'] | null;
  /** The same comparison on the labels of its shadow period; null before that. */
  readonly shadow: { readonly evaluation: Evaluation; readonly verdict: PromotionVerdict } | null;
  readonly descriptions: Readonly<Record<string, string>>;
}

/*
 * Charts of 340 × 260 units that scale with the page. The plot lies between these edges; y grows upwards for the
 * reader and downwards for SVG.
 */
const WIDTH = 340;
const HEIGHT = 260;
const LEFT = 54;
const RIGHT = 330;
const TOP = 10;
const BOTTOM = 220;
const TICKS = evenSteps(0, 1, 4);

const across = linearScale([0, 1], [LEFT, RIGHT]);
const up = linearScale([0, 1], [BOTTOM, TOP]);

interface Axes {
  readonly title: string;
  /** A description of the chart, for screen readers. */
  readonly summary: string;
  readonly x: string;
  readonly y: string;
  readonly xTicks?: ReadonlyArray<readonly [at: number, text: string]>;
  readonly yTicks?: ReadonlyArray<readonly [at: number, text: string]>;
}

const shareTicks = TICKS.map((at) => [at, percent(at)] as const);
const scoreTicks = evenSteps(0, 100, 5).map((score) => [score / 100, String(score)] as const);

function chart({ title, summary, x, y, xTicks = shareTicks, yTicks = shareTicks }: Axes, marks: Html): Html {
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}: ${summary}">
${yTicks.map(
  ([at, text]) => html`${new Html(gridLine([LEFT, RIGHT], up(at)))}
<text class="tick" x="${LEFT - 5}" y="${coordinate(up(at))}" dy="4" text-anchor="end">${text}</text>`,
)}
${xTicks.map(([at, text]) => html`<text class="tick" x="${coordinate(across(at))}" y="${BOTTOM + 15}" text-anchor="middle">${text}</text>`)}
<text class="axis" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${x}</text>
<text class="axis" x="10" y="${(TOP + BOTTOM) / 2}" text-anchor="middle" transform="rotate(-90 10 ${(TOP + BOTTOM) / 2})">${y}</text>
${marks}
</svg></figure>`;
}

const line = (points: readonly Point[], name: string): Html =>
  html`<polyline class="line ${name}" points="${polylinePoints(points.map(([x, y]) => [across(x), up(y)]))}"/>`;

const diagonal = html`<line class="chance" x1="${coordinate(LEFT)}" y1="${coordinate(BOTTOM)}" x2="${coordinate(RIGHT)}" y2="${coordinate(TOP)}"/>`;

export const rocChart = (champion: ModelEvaluation, challenger: ModelEvaluation): Html =>
  chart(
    {
      title: 'ROC',
      summary: `area ${challenger.auc.toFixed(3)} for this model, ${champion.auc.toFixed(3)} for the champion`,
      x: 'legitimate stopped',
      y: 'fraud found',
    },
    html`${diagonal}${line(champion.roc, 'champion')}${line(challenger.roc, 'challenger')}`,
  );

export const precisionRecallChart = (champion: ModelEvaluation, challenger: ModelEvaluation): Html =>
  chart(
    {
      title: 'Precision and recall',
      summary: `average precision ${challenger.average_precision.toFixed(3)} for this model, ${champion.average_precision.toFixed(3)} for the champion`,
      x: 'fraud found',
      y: 'fraud among flagged',
    },
    html`${line(champion.precision_recall, 'champion')}${line(challenger.precision_recall, 'challenger')}`,
  );

/** Score distribution of both classes, each relative to its own total: otherwise the rare one would not show. */
export function histogramChart({ histogram }: ModelEvaluation): Html {
  const totals = { fraud: 0, legitimate: 0 };
  for (const band of histogram) {
    totals.fraud += band.fraud;
    totals.legitimate += band.legitimate;
  }
  const shareOf = (band: (typeof histogram)[number], kind: 'fraud' | 'legitimate') =>
    totals[kind] === 0 ? 0 : band[kind] / totals[kind];
  const tallest = Math.max(0.01, ...histogram.flatMap((band) => [shareOf(band, 'fraud'), shareOf(band, 'legitimate')]));
  const step = (RIGHT - LEFT) / Math.max(1, histogram.length);
  const heightOf = linearScale([0, tallest], [0, BOTTOM - TOP]);
  const bar = (share: number, left: number, kind: string, text: string): Html => {
    const height = heightOf(share);
    return html`<rect class="bar ${kind}" x="${coordinate(left)}" y="${coordinate(BOTTOM - height)}" width="${coordinate(step / 2 - 0.5)}" height="${coordinate(height)}"><title>${text}</title></rect>`;
  };
  return chart(
    {
      title: 'Scores by outcome',
      summary: `${count(totals.fraud)} fraud and ${count(totals.legitimate)} legitimate, in bands of ${100 / Math.max(1, histogram.length)} points`,
      x: 'risk score',
      y: 'share of its kind',
      xTicks: scoreTicks,
      yTicks: TICKS.map((at) => [at, percent(at * tallest)]),
    },
    html`${histogram.map((band, i) => {
      const left = LEFT + i * step;
      const from = (i * 100) / histogram.length;
      return (['legitimate', 'fraud'] as const).map((kind, at) =>
        bar(shareOf(band, kind), left + (at * step) / 2, kind, `score ${from}: ${count(band[kind])} ${kind}`),
      );
    })}`,
  );
}

// Fraud is rare: on a linear scale all bands but one would be in the corner.
const FLOOR = 0.0001;
const logShare = (share: number): number => 1 + Math.log10(Math.max(FLOOR, Math.min(1, share))) / 4;
const LOG_TICKS = [0.0001, 0.001, 0.01, 0.1, 1].map((at) => [logShare(at), `${at * 100}%`] as const);

/** Predicted against observed share of fraud; on the diagonal the two are equal. */
export function calibrationChart(champion: ModelEvaluation, challenger: ModelEvaluation): Html {
  const dots = (bands: readonly CalibrationBand[], name: string): readonly Html[] =>
    bands.map(
      ({ predicted, observed, weight }) =>
        html`<circle class="dot ${name}" cx="${coordinate(across(logShare(predicted)))}" cy="${coordinate(up(logShare(observed)))}" r="4"><title>${`promised ${percent(predicted)}, came true ${percent(observed)}, ${count(weight)} screenings`}</title></circle>`,
    );
  return chart(
    {
      title: 'Calibration',
      summary: `mean error ${percent(challenger.calibration_error)} for this model, ${percent(champion.calibration_error)} for the champion`,
      x: 'fraud promised',
      y: 'actual fraud',
      xTicks: LOG_TICKS,
      yTicks: LOG_TICKS,
    },
    html`${diagonal}${dots(champion.calibration, 'champion')}${dots(challenger.calibration, 'challenger')}`,
  );
}

/** The share of fraud that each threshold stops, and the share of legitimate attempts. */
export function gainChart(champion: ModelEvaluation, challenger: ModelEvaluation): Html {
  const shares = ({ thresholds, histogram }: ModelEvaluation, kind: 'caught' | 'false_alarms'): Point[] => {
    const legitimate = histogram.reduce((sum, band) => sum + band.legitimate, 0);
    return thresholds.map((row) => {
      const total = kind === 'caught' ? row.caught + row.missed : legitimate;
      return [row.score / 100, total === 0 ? 0 : row[kind] / total];
    });
  };
  return chart(
    {
      title: 'Stopped by threshold',
      summary: 'share of the fraud that each threshold stops, upper lines, and share of the legitimate, lower lines',
      x: 'threshold',
      y: 'share stopped',
      xTicks: scoreTicks,
    },
    html`${line(shares(champion, 'caught'), 'champion')}${line(shares(challenger, 'caught'), 'challenger')}
${line(shares(champion, 'false_alarms'), 'champion')}${line(shares(challenger, 'false_alarms'), 'challenger')}`,
  );
}
