import { evenSteps, linearScale } from '../../shared/charts/axes';
import { coordinate, gridLine, polylinePoints } from '../../shared/charts/svg-path';
import type { CalibrationBand, ModelEvaluation } from '../../shared/domain/models/evaluation/evaluation';
import type { Point } from '../../shared/domain/models/evaluation/ranking-curve';
import { count, Html, html, percent } from './html';

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
  /** What the chart shows, for screen readers. */
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

/** False alarms against fraud found. */
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

/** Recall against precision. */
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
