import { setTimeout as delay } from 'node:timers/promises';
import { firedSignals, screeningMetrics } from '../metrics/screening-metrics';
import { caseOpener } from '../store/cases/case-opener';
import { counterStore } from '../store/counters/counter-store';
import { entityStore, networkStore } from '../store/entities/entity-store';
import { flagReader, heldEntryReader } from '../store/lists/held-entries';
import { listReader } from '../store/lists/list-store';
import { sampleWriter } from '../store/models/label-store';
import { shadowTallyStore } from '../store/models/shadow-tally-store';
import { ruleBookReader } from '../store/rules/rule-store';
import { claimStore } from '../store/screening/claim-store';
import { screeningWriter } from '../store/screening/screening-store';
import { openOnceClient, openTable } from '../store/sdk/client';
import { budgetMs } from '../store/sdk/time-budget';
import { shadowTally } from '../usecases/models/tally-shadow';
import { listFollower, ruleFollower } from '../usecases/screening/followers';
import type { ScreenSubjectDeps } from '../usecases/screening/screen-subject';
import { systemClock } from './clock';
import { config } from './config';
import { newUlid } from './ids';
import { functionLogger, type Log, type WideLine, wideLine } from './logger';
import { followedIntelligence, followedModels } from './model-wiring';
import { pseudonymWiring } from './pseudonym-wiring';

/** As long as a trip to the table may take. */
const RULES_LIMIT_MS = 800;

export function screeningWiring(
  operation: string,
  directory: string,
): ScreenSubjectDeps & { readonly log: Log; readonly line: WideLine } {
  const table = openTable(config.tableName());
  const onceClient = openOnceClient();
  const books = ruleBookReader(table);
  const line = wideLine();
  const log = functionLogger(operation);
  const models = followedModels(log, directory);
  const pseudonyms = pseudonymWiring(log);
  const intelligence = followedIntelligence(log, directory);
  const tally = shadowTally({ clock: systemClock, tallies: shadowTallyStore(table) });
  return {
    clock: systemClock,
    stage: config.stage(),
    log,
    newUlid,
    pause: (ms) => delay(ms),
    intelligence,
    pseudonyms: () => {
      // An environment that has just started waits for its secret, and for its models at the same time.
      models.current();
      return pseudonyms();
    },
    entities: entityStore({ onceClient, name: table.name }),
    networks: networkStore({ onceClient, name: table.name }),
    counters: counterStore({ onceClient, name: table.name }),
    claims: claimStore(table),
    screenings: { ...screeningWriter(table), ...caseOpener(table) },
    samples: sampleWriter(table),
    rules: ruleFollower({
      clock: systemClock,
      budgetMs,
      books: { book: (accountId, isRecent) => books.book(accountId, isRecent, RULES_LIMIT_MS) },
      onFailure: (error) => log.error('rules could not be read', { error }),
    }),
    lists: {
      ...listFollower({
        clock: systemClock,
        budgetMs,
        lists: listReader(table),
        held: heldEntryReader(table),
        onFailure: (error) => log.error('lists could not be read', { error }),
      }),
      ...flagReader({ onceClient, name: table.name }),
    },
    line,
    models: {
      current: () => {
        tally.write();
        return models.current();
      },
    },
    observe: (screened) => {
      tally.count(screened);
      const { automated_decision: decision, model_version } = screened.record;
      // If the champion changed after scoring, another model's shares apply here: once, and it is only a statistic.
      const shares = models.latest().champion?.score_shares;
      const signals = firedSignals(screened.record).join(' ') || undefined;
      line.add({ fields: { decision, model_version, signals }, metrics: screeningMetrics(screened, shares) });
    },
  };
}
