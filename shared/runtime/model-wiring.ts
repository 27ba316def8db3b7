import { decodeArtefact } from '../domain/models/artefact-blob';
import { openModel } from '../domain/models/scoring-model';
import { metricValues } from '../metrics/define-metrics';
import { MODEL_FOLLOWING_METRICS } from '../metrics/training-metrics';
import { modelRegistry, modelRegistryReader, registryPrefix } from '../store/models/model-registry';
import { s3ObjectStore } from '../store/sdk/object-store';
import { budgetMs } from '../store/sdk/time-budget';
import { modelFollower } from '../usecases/screening/followers';
import { loadBaseModel } from './base-model-file';
import { systemClock } from './clock';
import { config } from './config';
import type { Log } from './logger';

/** The registry of a function's stage, and for sandbox production's, which it follows while that one leads. */
export function functionRegistries() {
  const stage = config.stage();
  const address = { bucket: config.modelBucket(), region: config.region(), endpoint: config.awsEndpoint() };
  const objects = s3ObjectStore(address);
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
