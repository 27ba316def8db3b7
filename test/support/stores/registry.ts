import { encodeArtefact } from '../../../shared/domain/models/artefact-blob';
import { importLightgbm } from '../../../shared/domain/models/import-lightgbm';
import type { ModelArtefact } from '../../../shared/domain/models/model-artefact';
import { register } from '../../../shared/domain/models/registry-state';
import type { Stage } from '../../../shared/domain/stage';
import { localClient } from '../../../shared/runtime/admin-wiring';
import { type ModelRegistry, modelRegistry, registryPrefix } from '../../../shared/store/models/model-registry';
import { type ObjectStore, s3ObjectStore } from '../../../shared/store/sdk/object-store';
import { writeLightgbm } from '../../../training/engine/lightgbm/write-lightgbm';
import { train } from '../../../training/engine/trainer/train';
import { localRun } from '../local-run';

/** The model bucket of the run under test, with the administrator's rights. */
export function modelBucket(): ObjectStore {
  const { outputs } = localRun();
  const { region, credentials, endpoint } = localClient(localRun());
  return s3ObjectStore({ bucket: outputs.ModelRegistryBucket ?? '', region, credentials, endpoint });
}

/** That of the stage under test; production's is in the same bucket. */
export const registryUnderTest = (stage: Stage = 'sandbox'): ModelRegistry =>
  modelRegistry(modelBucket(), registryPrefix(stage));

export const cause = (reason = 'because') => ({ at: new Date().toISOString(), by: 'test', reason });

/** A model that finds amounts above this many dollars suspicious, and nothing else. */
export function amountModel(limitUsd: number): ModelArtefact & { readonly text: string } {
  const rows = 200;
  const values = Float32Array.from({ length: rows }, (_, i) => Math.log(limitUsd) + (i - rows / 2 + 0.5) / 10);
  const labels = Uint8Array.from(values, (value) => Number(value > Math.log(limitUsd)));
  const settings = { num_iterations: 10, num_leaves: 2, learning_rate: 0.5 };
  const text = writeLightgbm(train({ featureNames: ['amount_ln_usd'], values, labels }, { settings }));
  return { ...importLightgbm(text, { calibration: { slope: 1, intercept: 0, role: 'replace' } }), text };
}

/** Puts a model into a registry as a candidate. */
export async function registered(
  { text, ...artefact }: ReturnType<typeof amountModel>,
  { bytes = encodeArtefact(artefact), stage = 'sandbox' }: { bytes?: Uint8Array; stage?: Stage } = {},
): Promise<string> {
  const registry = registryUnderTest(stage);
  await registry.store(artefact.version, { artefact: bytes, text, metadata: '{}', evaluation: '{}' });
  await registry.change((state) => register(state, artefact.version, 'import', cause()));
  return artefact.version;
}
