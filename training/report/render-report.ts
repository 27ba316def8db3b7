import type { Evaluation } from '../../shared/domain/models/evaluation/evaluation';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import type { PromotionVerdict } from '../../shared/domain/models/promotion-rule';
import { FEATURES } from '../../shared/domain/screening/features';
import type { StoredEvaluation } from '../../shared/usecases/models/model-files';
import {
  calibrationChart,
  count,
  gainChart,
  type Html,
  histogramChart,
  html,
  type ModelReport,
  minute,
  precisionRecallChart,
  rocChart,
  STYLE,
} from './charts';
import {
  attributeTable,
  crossValidationTable,
  featureTable,
  flipTables,
  heldTable,
  holdoutTable,
  metricsTable,
  moveTable,
  proposalTable,
  scoreBandTable,
  shareTable,
  thresholdTable,
  verdictTable,
} from './tables';

const ON_LABELS = 'on labelled screenings';
const IN_SHADOW = 'in shadow';

export function renderReport(report: ModelReport): string {
  const { version, evaluation, verdict, attributes } = report;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Model ${version}</title><style>${STYLE}</style></head>
<body><main>
<h1>Model <code>${version}</code></h1>
${summary(report)}
${verdict && html`<h2>Verdict</h2>${verdictSection(verdict, ON_LABELS)}`}
${report.learned.length > 0 && html`<h2>What it learned that the champion did not know</h2><ul>${report.learned.map((line) => html`<li>${line}</li>`)}</ul>`}
${evaluation ? compared(evaluation) : html`<h2>How good it is</h2><p>This model has not been compared with a champion.</p>${report.card.holdout && holdoutTable(report.card.holdout)}`}
${report.card.cross_validation && crossValidationTable(report.card.cross_validation)}
${report.shadow && html`<h2>In shadow</h2>${verdictSection(report.shadow.verdict, IN_SHADOW)}${metricsTable(report.shadow.evaluation, IN_SHADOW)}${moveTable(report.shadow.evaluation, IN_SHADOW)}`}
${report.card.holdout && html`<h2>What a score meant</h2>${scoreBandTable(report.card.holdout)}`}
${report.teaching && html`<h2>Whose labels taught it</h2>${shareTable(report.teaching)}${heldTable(report.teaching)}`}
<h2>What it looks at</h2>${featureTable(report)}
<h2>Learned attributes</h2>
${attributes.columns.length > 0 ? attributeTable(report) : html`<p>None: no custom attribute predicted anything on newer screenings.</p>`}
${proposals(report)}
<h2>How it was trained</h2>${training(report)}
</main></body></html>
`;
  return page.text;
}

function summary({ card }: ModelReport): Html {
  const { window, labels } = card;
  return html`<p class="soft">Trained on ${count(labels.fraud)} fraud and ${count(labels.legitimate)} legitimate outcomes${
    window && html`, screened from ${minute(window.from)} to ${minute(window.to)}`
  }. Champion at the time: <code>${card.parent ?? 'none'}</code>.</p>`;
}

const verdictSection = (verdict: PromotionVerdict, where: string): Html =>
  html`<p class="verdict ${verdict.passed ? 'good' : 'bad'}">${verdict.passed ? 'May replace the champion, by the promotion rule.' : 'May not replace the champion, by the promotion rule.'}</p>${verdictTable(verdict, where)}`;

function compared(evaluation: Evaluation): Html {
  const { rows, champion, challenger, flips } = evaluation;
  return html`<h2>Champion and challenger</h2>
<p>Evaluated on screenings that this model was not trained on, ${minute(rows.from)} to ${minute(rows.to)}: ${count(rows.fraud)} confirmed fraud, ${count(rows.legitimate)} confirmed legitimate and ${count(rows.presumed)} presumed legitimate, from ${count(rows.accounts)} ${rows.accounts === 1 ? 'account' : 'accounts'}. Counts are estimates for all traffic: a sampled row represents those that were not sampled.</p>
${metricsTable(evaluation, ON_LABELS)}
<ul class="key"><li><span class="challenger"></span>this model, <code>${challenger.version}</code></li><li><span class="champion"></span>champion, <code>${champion.version}</code></li></ul>
<div class="charts">${rocChart(champion, challenger)}${precisionRecallChart(champion, challenger)}${calibrationChart(champion, challenger)}</div>
<h2>Scores</h2>
<ul class="key"><li><span class="fraud"></span>fraud</li><li><span class="legitimate"></span>legitimate</li></ul>
<div class="charts">${histogramChart(challenger)}${gainChart(champion, challenger)}</div>
<h2>Gain by threshold</h2>${thresholdTable(evaluation)}
<h2>Decisions that change</h2>${moveTable(evaluation, ON_LABELS)}${flipTables(flips)}`;
}

function proposals({ card: { worth_tracking = [] } }: ModelReport): Html {
  return html`<h2>Worth tracking</h2>${
    worth_tracking.length === 0
      ? html`<p>No further attribute: none with many values that come back had a history that predicted fraud.</p>`
      : html`<p>Fraud was more likely after a bad history of these values, where no other history had said anything. Unless they are tracked already, add them: <code>npm run admin -- accounts set ACCOUNT_ID --tracked-attributes …</code>. Each costs one write unit per screening.</p>${proposalTable(worth_tracking)}`
  }`;
}

function training({ card }: ModelReport): Html {
  const facts: ReadonlyArray<readonly [string, string]> = [
    ['Source', card.source],
    ['Trained at', card.trained_at ? minute(card.trained_at) : 'from a seed'],
    ['Rows', count(card.rows)],
    ...Object.entries(card.settings).map(([name, value]) => [name, JSON.stringify(value) ?? ''] as const),
    ['Can only raise the risk', named(card.monotone, 1)],
    ['Can only lower the risk', named(card.monotone, -1)],
  ];
  return html`<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

const named = (monotone: Readonly<Record<string, 1 | -1>>, sign: 1 | -1): string =>
  Object.entries(monotone)
    .flatMap(([name, direction]) => (direction === sign ? [name] : []))
    .join(', ') || 'none';

const descriptions = Object.fromEntries(FEATURES.map(({ name, description }) => [name, description]));

/** The page about a model: its own metrics, the comparison with the champion at the time, and shadow, if it got that far. */
export const reportOf = (
  { version, card, attributes }: ModelArtefact,
  stored: StoredEvaluation | null = null,
  shadow: StoredEvaluation | null = null,
): string =>
  renderReport({
    ...{ version, card, attributes, descriptions, shadow },
    evaluation: stored?.evaluation ?? null,
    verdict: stored?.verdict ?? null,
    learned: stored?.learned ?? [],
    teaching: stored?.teaching ?? null,
  });
