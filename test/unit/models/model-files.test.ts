import { evaluate } from '../../../shared/domain/models/evaluation/evaluate';
import { importLightgbm } from '../../../shared/domain/models/import-lightgbm';
import { decidePromotion } from '../../../shared/domain/models/promotion-rule';
import { memoryObjects } from '../../../shared/store/memory/memory-objects';
import { modelRegistry } from '../../../shared/store/models/model-registry';
import { openArtefact, readEvaluation, readMetadata, storeModel } from '../../../shared/usecases/models/model-files';
import { writeLightgbm } from '../../../training/engine/lightgbm/write-lightgbm';
import { train } from '../../../training/engine/trainer/train';
import { failing, interpose } from '../../support/memory/interpose';
import { comparedRows } from '../../support/traffic/compared-rows';

const values = Float32Array.from({ length: 100 }, (_, i) => i / 10);
const labels = Uint8Array.from(values, (value) => Number(value > 5));
const settings = { num_iterations: 3, num_leaves: 2 };
const text = writeLightgbm(train({ featureNames: ['amount_ln_usd'], values, labels }, { settings }));
const artefact = importLightgbm(text, { calibration: { slope: 1, intercept: 0, role: 'replace' } });
const { version } = artefact;
const origin = { source: 'sandbox', created_at: '2026-03-01T00:00:00.000Z' } as const;

const evaluation = evaluate(comparedRows({ champion: 1, challenger: 2 }));
const evaluated = { evaluation, verdict: decidePromotion({ ...evaluation, anchor: null }) };

it('reads back what was stored of a model that was compared', async () => {
  const registry = modelRegistry(memoryObjects());
  await storeModel(registry, { artefact, text }, { ...origin, evaluated });
  expect(await openArtefact(registry, version)).toEqual(artefact);
  expect(Buffer.from(await registry.file(version, 'text')).toString()).toBe(text);
  const { card } = artefact;
  const known = { version, ...origin, card, judged_on: evaluation.rows, verdict: evaluated.verdict };
  expect(await readMetadata(registry, version)).toEqual(JSON.parse(JSON.stringify(known)));
  expect(await readEvaluation(registry, version)).toEqual(JSON.parse(JSON.stringify(evaluated)));
  expect(await readEvaluation(registry, version, 'shadow')).toBeNull();
});

it('has no evaluation of a model that was never compared, nor of one that is unknown', async () => {
  const registry = modelRegistry(memoryObjects());
  await storeModel(registry, { artefact, text }, { ...origin, evaluated: null });
  expect(await readMetadata(registry, version)).toMatchObject({ judged_on: null, verdict: null });
  expect(await readEvaluation(registry, version)).toBeNull();
  expect(await readEvaluation(registry, 'm-unknown')).toBeNull();
  await expect(openArtefact(registry, 'm-unknown')).rejects.toThrow('m-unknown');
  await expect(readMetadata(registry, 'm-unknown')).rejects.toThrow('m-unknown');
});

it('changes nothing of a version that is complete when it is stored again', async () => {
  const registry = modelRegistry(memoryObjects());
  await storeModel(registry, { artefact, text }, { ...origin, evaluated });
  await storeModel(registry, { artefact, text: 'other' }, { ...origin, source: 'import', evaluated: null });
  expect(await readMetadata(registry, version)).toMatchObject({ source: 'sandbox', verdict: evaluated.verdict });
  expect(Buffer.from(await registry.file(version, 'text')).toString()).toBe(text);
});

it('completes a version whose first storing died after any of its files', async () => {
  for (let at = 0; at < 4; at++) {
    const objects = memoryObjects();
    const dying = interpose(
      objects,
      failing((call, nth) => (call === 'put' && nth >= at ? 'before' : undefined)),
    );
    const made = { artefact, text };
    await expect(storeModel(modelRegistry(dying), made, { ...origin, evaluated })).rejects.toMatchObject({
      code: 'unavailable',
    });
    const registry = modelRegistry(objects);
    await storeModel(registry, made, { ...origin, evaluated });
    expect(objects.keys()).toHaveLength(4);
    expect(await openArtefact(registry, version)).toEqual(artefact);
    expect(await readEvaluation(registry, version)).toMatchObject({ verdict: evaluated.verdict });
  }
});
