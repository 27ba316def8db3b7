import type { AmountColumn, CategoryColumn, OwnRateColumn } from '../../shared/domain/models/attribute-schema';
import type {
  Evaluation,
  Flips,
  ModelEvaluation,
  ThresholdRow,
} from '../../shared/domain/models/evaluation/evaluation';
import { MOST_POINTS_MOVED } from '../../shared/domain/models/evaluation/score-move';
import type { CrossValidation, ModelCard, ModelMetrics } from '../../shared/domain/models/model-artefact';
import type { PromotionVerdict } from '../../shared/domain/models/promotion-rule';
import type { StoredEvaluation } from '../../shared/usecases/models/model-files';
import { count, dollars, type Html, html, type ModelReport, minute, percent, signed, threeDecimals } from './charts';

/** A table that scrolls within itself on a narrow screen, also by keyboard. Numbers align right, `words` left. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: ReadonlyArray<readonly (Html | string)[]>,
  words: readonly string[] = [],
): Html {
  const [first = '', ...others] = heads;
  const side = others.map((head) => words.includes(head) && html` class="text"`);
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr><th scope="col">${first}</th>${others.map((head, i) => html`<th scope="col"${side[i]}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([
      head = '',
      ...cells
    ]) => html`<tr><th scope="row">${head}</th>${cells.map((cell, i) => html`<td${side[i]}>${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>`;
}

const METRICS: ReadonlyArray<readonly [string, (model: ModelEvaluation) => number, (value: number) => string]> = [
  ['AUC', (m) => m.auc, threeDecimals],
  ['Average precision', (m) => m.average_precision, threeDecimals],
  ['Fraud found at 1% false positives', (m) => m.recall_at_1pct, percent],
  ['Fraud found at 5% false positives', (m) => m.recall_at_5pct, percent],
  ['Log loss (lower is better)', (m) => m.log_loss, threeDecimals],
  ['Calibration error (lower is better)', (m) => m.calibration_error, threeDecimals],
];

/** The metrics of both models; `where` tells two such tables on a page apart. */
export const metricsTable = ({ champion, challenger }: Evaluation, where: string): Html =>
  table(
    `This model against the champion ${where}`,
    ['Metric', 'Champion', 'This model', 'Change'],
    METRICS.map(([name, read, write]) => [
      name,
      write(read(champion)),
      write(read(challenger)),
      signed(read(challenger) - read(champion)),
    ]),
  );

/** For a model that was never compared: its metrics on its own held-out rows. */
export const holdoutTable = (metrics: ModelMetrics): Html =>
  ownTable(`On the ${count(metrics.rows)} newest training rows, ${count(metrics.fraud)} of them fraud`, metrics);

/** For a model with few frauds to learn from: the metrics of models like it, on rows that came later. */
export const crossValidationTable = (metrics: CrossValidation): Html =>
  ownTable(
    `Cross-validated in the order of time: ${count(metrics.folds)} models like this one on ${count(metrics.rows)} later rows, ${count(metrics.fraud)} of them fraud`,
    metrics,
  );

const ownTable = (caption: string, metrics: ModelMetrics): Html =>
  table(
    caption,
    ['Metric', 'This model'],
    [
      ['AUC', threeDecimals(metrics.auc)],
      ['Average precision', threeDecimals(metrics.average_precision)],
      ['Fraud found at 1% false positives', percent(metrics.recall_at_1pct)],
      ['Fraud found at 5% false positives', percent(metrics.recall_at_5pct)],
      ['Log loss (lower is better)', threeDecimals(metrics.log_loss)],
    ],
  );

/** Calibration on the held-out rows: the observed and the predicted share of fraud in each band. */
export const scoreBandTable = ({ calibration }: ModelMetrics): Html =>
  table(
    'Fraud in the held-out rows, by score',
    ['Score', 'Rows', 'Fraud', 'Fraud rate', 'Expected'],
    calibration
      .filter(({ rows }) => rows > 0)
      .map(({ from, to, rows, fraud, observed, predicted }) => [
        `${from}–${to === 100 ? 100 : to - 1}`,
        count(rows),
        count(fraud),
        percent(observed ?? 0),
        percent(predicted ?? 0),
      ]),
  );

/** Every condition of the promotion rule, with its result; `where` tells two such tables on a page apart. */
export const verdictTable = ({ checks }: PromotionVerdict, where: string): Html =>
  table(
    `The rule ${where}, condition by condition`,
    ['Condition', 'Required', 'Measured', 'Result'],
    checks.map(({ name, wanted, found, passed }) => [
      name,
      wanted,
      found,
      passed ? html`<span class="good">✓ met</span>` : html`<span class="bad">✗ not met</span>`,
    ]),
    ['Required', 'Measured'],
  );

/** Fraud caught and cost at each threshold, in screenings and in money. */
export function thresholdTable({ champion, challenger }: Evaluation): Html {
  const before = new Map(champion.thresholds.map((row) => [row.score, row]));
  const precision = ({ caught, false_alarms }: ThresholdRow) => percent(caught / (caught + false_alarms));
  return table(
    'The effect of stopping everything from a score upwards',
    [
      'From score',
      'Fraud caught',
      'Champion',
      'Fraud missed',
      'False positives',
      'Champion',
      'Precision',
      'Caught',
      'Missed',
      'Legitimate amount stopped',
    ],
    challenger.thresholds.map((row) => [
      String(row.score),
      count(row.caught),
      count(before.get(row.score)?.caught),
      count(row.missed),
      count(row.false_alarms),
      count(before.get(row.score)?.false_alarms),
      precision(row),
      dollars(row.caught_usd),
      dollars(row.missed_usd),
      dollars(row.false_alarms_usd),
    ]),
  );
}

/** How many recent decisions would flip if this model took over, and how far scores would move; nothing if it was not measured. */
export const moveTable = ({ move, rows }: Evaluation, where: string): Html | undefined =>
  move &&
  table(
    `If this model took over, ${where}, ${minute(rows.from)} to ${minute(rows.to)}`,
    ['What changes', 'Measured'],
    [
      ['Decisions that flip', `${count(move.flips)} of ${count(move.rows)} (${percent(move.flips / move.rows)})`],
      ['Flagged by the champion → by this model', `${count(move.stopped_before)} → ${count(move.stopped_after)}`],
      ['Points by which scores move, on average', move.mean_points.toFixed(1)],
      ['At most, in 95% of screenings', String(move.usual_points)],
      ['At most', String(move.most_points)],
      [`Screenings that move by more than ${MOST_POINTS_MOVED} points`, percent(move.beyond_bound)],
    ],
  );

export function flipTables({ table: cells, furthest }: Flips): Html {
  const changed = cells.filter((cell) => cell.champion !== cell.challenger && cell.fraud + cell.legitimate > 0);
  const kept = cells.filter((cell) => cell.champion === cell.challenger);
  const same = kept.reduce((sum, { fraud, legitimate }) => sum + fraud + legitimate, 0);
  return html`<p>${count(same)} decisions are unchanged.</p>
${
  changed.length > 0 &&
  table(
    'Decisions that change, at the default thresholds',
    ['From → to', 'Fraud', 'Legitimate', 'Fraud amount', 'Legitimate amount'],
    changed.map((cell) => [
      `${cell.champion} → ${cell.challenger}`,
      count(cell.fraud),
      count(cell.legitimate),
      dollars(cell.fraud_usd),
      dollars(cell.legitimate_usd),
    ]),
  )
}
${
  furthest.length > 0 &&
  table(
    'The scores that change most',
    ['Screening', 'Turned out', 'Champion', 'This model', 'Amount'],
    furthest.map((row) => [
      html`<code>${row.subject_id}</code>`,
      row.label,
      String(row.champion_score),
      String(row.challenger_score),
      dollars(row.amount_usd),
    ]),
  )
}`;
}

export function featureTable({ card, descriptions }: ModelReport): Html {
  const most = card.features[0]?.gain ?? 1;
  return table(
    'Features by their share of the total gain',
    ['Feature', 'Share', 'Relative to the first', 'Meaning'],
    card.features
      .slice(0, 25)
      .map(({ name, gain }) => [
        html`<code>${name}</code>`,
        percent(gain),
        html`<meter min="0" max="${most}" value="${gain}" aria-label="${name}"></meter>`,
        Object.hasOwn(descriptions, name) ? (descriptions[name] as string) : 'learned attribute',
      ]),
    ['Meaning'],
  );
}

const KIND = {
  number: 'a number',
  rate: 'a category, by its smoothed share of fraud',
  own_rate: "a category, by its smoothed share of fraud in each account's own labels",
  rank: 'a category, by how common it is',
  amount: 'how unusual the amount is for its category',
} as const;

const knownValues = (column: AmountColumn | CategoryColumn | OwnRateColumn): number =>
  column.kind === 'own_rate' ? column.accounts.reduce((sum, { codes }) => sum + codes.length, 0) : column.codes.length;

export const proposalTable = (proposals: NonNullable<ModelCard['worth_tracking']>): Html =>
  table(
    'Attributes worth tracking',
    ['Attribute', 'Account', 'Values', 'Repeated', 'Fraud after fraud'],
    proposals.map(({ key, account_id, values, repeated, lift }) => [
      html`<code>${key}</code>`,
      account_id === null ? '–' : html`<code>${account_id}</code>`,
      count(values),
      percent(repeated),
      `${lift} times as likely`,
    ]),
    ['Account'],
  );

/** Findings about attributes, made without any configuration. */
export const attributeTable = ({ attributes }: ModelReport): Html =>
  table(
    'Attributes that the model reads',
    ['Attribute', 'Read as', 'Values known', 'Input'],
    attributes.columns.map((column) => [
      html`<code>${column.source}</code>`,
      KIND[column.kind],
      column.kind === 'number' ? '–' : count(knownValues(column)),
      html`<code>${column.feature}</code>`,
    ]),
    ['Read as', 'Input'],
  );

type Teaching = NonNullable<StoredEvaluation['teaching']>;

/** The accounts with the largest shares: more would be a list of customers, not an explanation. */
const MOST_SHOWN = 20;

/** Each account's share of the training data. */
export const shareTable = ({ shares }: Teaching): Html =>
  table(
    'Share of the training weight, by account',
    ['Account', 'Of the fraud', 'Of the legitimate', 'Limited'],
    shares
      .slice(0, MOST_SHOWN)
      .map(({ account_id, fraud, legitimate, is_at_cap }) => [
        html`<code>${account_id}</code>`,
        percent(fraud),
        percent(legitimate),
        is_at_cap ? 'at its limit' : 'no',
      ]),
    ['Limited'],
  );

export const heldTable = ({ held }: Teaching): Html =>
  held.length === 0
    ? html`<p>No labels were held back.</p>`
    : table(
        'Labels that did not teach',
        ['Whose', 'Labels', 'Status', 'Why'],
        held.map(({ whose, labels, status, found }) => [html`<code>${whose}</code>`, count(labels), status, found]),
        ['Status', 'Why'],
      );
