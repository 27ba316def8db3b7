import { createHash } from 'node:crypto';
import {
  ageDays,
  INTELLIGENCE_KEY,
  type IntelligenceState,
  type IntelligenceTable,
  NO_TABLES,
  openIntelligence,
} from '../domain/intelligence/intelligence-table';
import { decodeArtefact } from '../domain/models/artefact-blob';
import { openModel } from '../domain/models/scoring-model';
import { metricValues } from '../metrics/define-metrics';
import { INTELLIGENCE_METRICS, MODEL_FOLLOWING_METRICS } from '../metrics/training-metrics';
import { modelRegistry, modelRegistryReader, registryPrefix, sharedState } from '../store/models/model-registry';
import { type ObjectStore, s3ObjectStore } from '../store/sdk/object-store';
import { budgetMs } from '../store/sdk/time-budget';
import { intelligenceFollower, modelFollower } from '../usecases/screening/followers';
import { loadBaseModel } from './base-model-file';
import { systemClock } from './clock';
import { config } from './config';
import { loadIntelligence } from './intelligence-file';
import type { Log } from './logger';

const functionBucket = (): ObjectStore =>
  s3ObjectStore({ bucket: config.modelBucket(), region: config.region(), endpoint: config.awsEndpoint() });

/** The registry of a function's stage, and for sandbox production's, which it follows while that one leads. */
export function functionRegistries() {
  const stage = config.stage();
  const objects = functionBucket();
  const leader = stage === 'sandbox' ? modelRegistryReader(objects, registryPrefix('production')) : undefined;
  return { own: modelRegistry(objects, registryPrefix(stage)), leader };
}

export function followedModels(log: Log, directory: string): ReturnType<typeof modelFollower> {
  const shipped = loadBaseModel(directory);
  const base = shipped && openModel(shipped);
  return modelFollower({
    stage: config.stage(),
    clock: systemClock,
    budgetMs,
    base,
    ...functionRegistries(),
    open: (artefact) => openModel(decodeArtefact(artefact), base),
    onFailure: (error) =>
      log.error('model refresh failed', { error }, metricValues(MODEL_FOLLOWING_METRICS, { ModelRefreshFailures: 1 })),
  });
}

/** The tables of what is known offline of addresses and domains, below the prefix of a stage. */
export const intelligenceBucket = (objects: ObjectStore, prefix: string) => ({
  ...sharedState<IntelligenceState>(objects, prefix + INTELLIGENCE_KEY.state, NO_TABLES),
  async table({ version, sha256 }: IntelligenceState['tables'][number]): Promise<IntelligenceTable> {
    const found = await objects.get(prefix + INTELLIGENCE_KEY.table(version));
    if (!found || found === 'unchanged') throw new Error(`The bucket has no table ${version}`);
    if (createHash('sha256').update(found.body).digest('hex') !== sha256)
      throw new Error(`The table ${version} is not the one that was stored`);
    return openIntelligence(found.body);
  },
});

/** The offline knowledge of addresses and domains: the table that shipped with the function, or the one in the bucket. */
export const followedIntelligence = (log: Log, directory: string): ReturnType<typeof intelligenceFollower> =>
  intelligenceFollower({
    clock: systemClock,
    shipped: loadIntelligence(directory),
    bucket: intelligenceBucket(functionBucket(), registryPrefix(config.stage())),
    onRead: ({ description }) => {
      const IntelligenceAge = ageDays(description, systemClock.now());
      const { version } = description;
      log.info('intelligence', { intelligence: version }, metricValues(INTELLIGENCE_METRICS, { IntelligenceAge }));
    },
    onFailure: (error) =>
      log.error(
        'intelligence refresh failed',
        { error },
        metricValues(INTELLIGENCE_METRICS, { IntelligenceRefreshFailures: 1 }),
      ),
  });
