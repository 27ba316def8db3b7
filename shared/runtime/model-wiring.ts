import { decodeArtefact } from '../domain/models/artefact-blob';
import { openModel } from '../domain/models/scoring-model';
import { metricValues } from '../metrics/define-metrics';
import { MODEL_FOLLOWING_METRICS } from '../metrics/training-metrics';
import { modelRegistryReader } from '../store/models/model-registry';
import { s3ObjectStore } from '../store/sdk/object-store';
import { modelFollower } from '../usecases/screening/followers';
import { loadBaseModel } from './base-model-file';
import { systemClock } from './clock';
import { config } from './config';
import type { Log } from './logger';

/** The registry's bucket as a function reaches it. */
export const functionBucket = () =>
  s3ObjectStore({ bucket: config.modelBucket(), region: config.region(), endpoint: config.awsEndpoint() });

/** The models that a screening function scores with, as the registry names them. */
export function followedModels(log: Log, directory: string): ReturnType<typeof modelFollower> {
  const shipped = loadBaseModel(directory);
  const base = shipped && openModel(shipped);
  return modelFollower({
    stage: config.stage(),
    clock: systemClock,
    base,
    registry: modelRegistryReader(functionBucket()),
    open: (artefact) => openModel(decodeArtefact(artefact), base),
    onFailure: (error) =>
      log.error('model refresh failed', { error }, metricValues(MODEL_FOLLOWING_METRICS, { ModelRefreshFailures: 1 })),
  });
}
