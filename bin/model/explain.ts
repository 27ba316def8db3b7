import { needWord, UsageError } from '../../shared/cli/command-line';
import { textTable } from '../../shared/cli/text-table';
import { recompute } from '../../shared/domain/models/recompute';
import { RULES_VERSION } from '../../shared/domain/screening/screen';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { decisionId, ulidOf } from '../../shared/domain/screening/subjects/subject-id';
import type { ModelAdminWiring } from '../../shared/runtime/model-admin-wiring';
import { openArtefact } from '../../shared/usecases/models/model-files';
import type { ModelCommand } from './arguments';

const FEATURES_SHOWN = 12;

async function findDecision(
  { accounts, screenings }: ModelAdminWiring,
  id: string,
): Promise<{ readonly record: ScreeningRecord; readonly account: string }> {
  const ulid = ulidOf(id, 'dec', 'txn', 'evt', 'case');
  if (!ulid) throw new UsageError(`${id} is not the ID of a decision, transaction, event or case.`);
  for (const account of await accounts()) {
    const record = await screenings.find(account, ulid);
    if (record) return { record, account };
  }
  throw new UsageError(`No account in this stage has ${id}. Results are kept for 90 days.`);
}

async function modelOf({ registry, base }: ModelAdminWiring, version: string) {
  if (version === RULES_VERSION) return undefined;
  const shipped = base();
  return shipped?.version === version ? shipped : openArtefact(registry, version);
}

/** Repeats a decision, says whether it is identical bit for bit, and what contributed to it. */
export const explain: ModelCommand['run'] = async (deps, given) => {
  const { record, account } = await findDecision(deps, needWord(given, 0, 'decision'));
  const model = await modelOf(deps, record.model_version);
  const { contributions, differences, features } = recompute(record, model, account);
  const title = `${decisionId(record.ulid)}: score ${record.risk_score}, ${record.automated_decision}, by ${record.model_version}`;
  const same = 'Recomputed from its stored vector: identical, bit for bit.';
  const other = `Recomputed from its stored vector: DIFFERENT.\n${differences.map((line) => `  ${line}`).join('\n')}`;
  const stored = new Map(record.contributions.map(({ signal, detail }) => [signal, detail]));
  return [
    title,
    differences.length === 0 ? same : other,
    textTable([
      ['POINTS', 'SIGNAL', 'WHY'],
      ['', 'base', String(record.base)],
      ...contributions.map(({ signal, points, detail }) => [String(points), signal, stored.get(signal) ?? detail]),
    ]),
    ...(features.length === 0
      ? []
      : [
          textTable([
            ['LOG-ODDS', 'FEATURE', 'VALUE'],
            ...features
              .slice(0, FEATURES_SHOWN)
              .map(({ name, value, log_odds }) => [
                log_odds.toFixed(3),
                name,
                Number.isNaN(value) ? 'missing' : String(value),
              ]),
          ]),
        ]),
  ].join('\n\n');
};
