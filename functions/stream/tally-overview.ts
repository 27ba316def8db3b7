import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { RuleUses } from '../../shared/domain/overview/rule-share';
import { tallyMetrics } from '../../shared/metrics/overview-metrics';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { readStep, stepFolder, type TallyStep } from '../../shared/store/cases/step-folder';
import type { ChangeRecord } from '../../shared/store/change-record';
import { linkWriter, readLinks } from '../../shared/store/links/link-store';
import { overviewTallies } from '../../shared/store/overview/overview-store';
import { readRuled, readTally } from '../../shared/store/overview/tally-record';
import { openPatientTable } from '../../shared/store/sdk/client';
import { type FoldStepsDeps, foldSteps } from '../../shared/usecases/cases/fold-steps';
import { type LinkChangesDeps, linkChanges } from '../../shared/usecases/entities/link-changes';
import { type TallyChangesDeps, tallyChanges } from '../../shared/usecases/overview/tally-changes';
import { type WatchRulesDeps, watchRules } from '../../shared/usecases/overview/watch-rules';

/** A batch with its shard and state: Lambda has them only for functions with a tumbling window, and wants a state back. */
type WindowEvent = DynamoDBStreamEvent & { readonly shardId?: string; readonly state?: Partial<WindowState> };
type WindowAnswer = DynamoDBBatchResponse & { readonly state: WindowState };

/** Counts of a shard over a quarter of an hour so far: Lambda carries them from batch to batch. */
interface WindowState {
  readonly rules: RuleUses;
}

type Deps = TallyChangesDeps<ChangeRecord> &
  FoldStepsDeps<ChangeRecord, TallyStep> &
  LinkChangesDeps<ChangeRecord> &
  WatchRulesDeps<ChangeRecord> & { readonly log: Log };

export const build =
  (deps: Deps) =>
  async ({ Records: records, shardId, state }: WindowEvent): Promise<WindowAnswer> => {
    if (!shardId) throw new Error('The event source names no shard: it needs a tumbling window');
    const numbered = records.map(({ eventName, dynamodb }) => ({
      sequence: dynamodb?.SequenceNumber ?? '',
      raw: { eventName, dynamodb: { NewImage: dynamodb?.NewImage, OldImage: dynamodb?.OldImage } },
    }));
    // The last call of a window may have no records.
    const before = state?.rules ?? {};
    if (numbered.length === 0) return { state: { rules: before }, batchItemFailures: [] };
    const changes = numbered.map(({ raw }) => raw);
    // First, and harmless if repeated: a failure here hands over the whole batch again.
    await Promise.all([foldSteps(deps, changes), linkChanges(deps, changes)]);
    const report = await tallyChanges(deps, shardId, numbered);
    const { failed, ...counts } = report;
    const { uses, share } = watchRules(deps, before, changes);
    const rule = share && { rule: share.rule, rule_account_id: share.account_id };
    deps.log.info('tally', { operation: 'tally-overview', ...counts, ...rule }, tallyMetrics(report, share));
    return { state: { rules: uses }, batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
  };

const log = functionLogger('tally-overview');
const table = openPatientTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log,
  read: readTally,
  readLinks,
  readStep,
  steps: stepFolder(table),
  readRuled,
  links: linkWriter(table),
  tallies: overviewTallies(table, systemClock),
  report: (problem, error) => log.error(problem, { error }),
});
