import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { trainingReportMetrics } from '../../shared/metrics/training-metrics';
import { loadBaseModel } from '../../shared/runtime/base-model-file';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { functionRegistries } from '../../shared/runtime/model-wiring';
import { accountDirectory } from '../../shared/store/accounts/account-store';
import { labelReader } from '../../shared/store/models/label-store';
import { shadowTallyStore } from '../../shared/store/models/shadow-tally-store';
import { openPatientTable } from '../../shared/store/sdk/client';
import { readPace } from '../../shared/store/sdk/read-pace';
import { runTraining, type TrainingDeps } from '../../shared/usecases/models/run-training';
import { trainModel } from '../../training/engine/learn/train-model';

// Time kept back for evaluating and storing the model once its trees have to stop growing.
const RESERVE_MS = 3 * 60_000;

export const build =
  (deps: Omit<TrainingDeps, 'fit'> & { readonly log: Log }) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const isTimeLeft = () => context.getRemainingTimeInMillis() > RESERVE_MS;
    const report = await runTraining({
      ...deps,
      fit: (rows, parent, nowMs, plan) =>
        trainModel(rows, { nowMs, parent, source: 'labels', onTree: isTimeLeft, plan }),
    });
    const { outcome, detail, version, labels, champion } = report;
    const fields = { operation: 'train-model', outcome, detail, version, labels, champion };
    deps.log.info('training', fields, trainingReportMetrics(report));
  };

const table = openPatientTable(config.tableName());
const { own, leader } = functionRegistries();
const pace = readPace(config.readUnitsPerSecond(), systemClock, wait);
const { storedInMonth } = labelReader(table, { ConsistentRead: false, pace });

export const handler = build({
  stage: config.stage(),
  clock: systemClock,
  labels: { accounts: accountDirectory(table).accountIds, storedInMonth },
  registry: own,
  leader,
  tallies: shadowTallyStore(table),
  base: loadBaseModel(__dirname),
  log: functionLogger('train-model'),
});
