import { writeFileSync } from 'node:fs';
import { progressBar } from '../../../shared/cli/progress-bar';
import type { AfdMapping } from '../../../shared/domain/afd/afd-mapping';
import { insightScore } from '../../../shared/domain/afd/afd-score';
import { loadBaseModel } from '../../../shared/runtime/base-model-file';
import { replayWiring } from '../../../shared/runtime/replay-wiring';
import type { ImportRun } from '../../import/import-history';
import { readAfdCsv } from '../../import/read-afd-csv';
import { replay } from '../../replay/replay';
import { compareScores, type ScoredEvent } from './compare-scores';
import { renderAgreement } from './render-agreement';

/** What Amazon's exports add to the columns of an event. */
const SCORE = /_insightscore$|^model_?scores?$|^score$/i;
const RESULT = /_insightscore$|^model_?scores?$|^score$|^outcomes?$|^status$|^rule_?results?$/i;

/** The number in a cell: a plain one, or the first in `{"my_model_insightscore": 912.0}`. */
export function scoreIn(cell: string | undefined): number | undefined {
  const found = /(?:^|[:\s])(\d{1,4}(?:\.\d+)?)\s*[,}]?/.exec((cell ?? '').trim())?.[1];
  const score = Number(found);
  return found !== undefined && score <= 1000 ? score : undefined;
}

/** The file to compare, and where the page goes. */
export interface AgreementOrder {
  readonly file: string;
  readonly mapping: AfdMapping;
  /** The column with Amazon's score. @default found by its name */
  readonly score?: string | undefined;
  readonly out: string;
}

/** Screens exported events, compares the scores, and writes a page; returns what to print. */
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
