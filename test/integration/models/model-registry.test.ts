import { EMPTY_REGISTRY, promote, register } from '../../../shared/domain/models/registry-state';
import { localClient } from '../../../shared/runtime/admin-wiring';
import { modelRegistry, modelRegistryReader, STATE_KEY } from '../../../shared/store/models/model-registry';
import { type ObjectStore, s3ObjectStore } from '../../../shared/store/sdk/object-store';
import { localRun } from '../../support/local-run';

/** The run's registry below a prefix of the test's own: the real one is used by other tests. */
function bucketBelow(prefix: string): ObjectStore {
  const { awsEndpoint, outputs } = localRun();
  const { region, credentials } = localClient(localRun());
  const bucket = outputs.ModelRegistryBucket ?? '';
  const store = s3ObjectStore({ bucket, region, credentials, endpoint: awsEndpoint });
  return {
    get: (key, etag) => store.get(`${prefix}/${key}`, etag),
    put: (key, body, condition) => store.put(`${prefix}/${key}`, body, condition),
  };
}

let next = 0;
const freshBucket = () => bucketBelow(`test-${Date.now()}-${next++}`);
const cause = { at: '2026-11-14T09:30:00.000Z', by: 'test', reason: 'because' };

it('begins empty, keeps what is written, and tells when nothing changed', async () => {
  const registry = modelRegistry(freshBucket());
  expect(await registry.state()).toEqual({ state: EMPTY_REGISTRY, etag: undefined });
  await registry.change((state) => register(state, 'm1', 'sandbox', cause));
  const { state, etag } = await registry.state();
  expect(state.models.map(({ version }) => version)).toEqual(['m1']);
  expect(await registry.stateSince(etag)).toBe('unchanged');
  await registry.change((before) => promote(before, 'm1', cause));
  expect(await registry.stateSince(etag)).toMatchObject({ state: { models: [{ status: 'champion' }] } });
});

it('loses no change of rivals', async () => {
  const registry = modelRegistry(freshBucket());
  const versions = ['a', 'b', 'c', 'd', 'e'];
  const results = await Promise.allSettled(
    versions.map((version) => registry.change((state) => register(state, version, 'sandbox', cause))),
  );
  const kept = (await registry.state()).state.models.map(({ version }) => version).sort();
  // Each rival needs at most one round more than it has rivals, and has five.
  expect(results.map(({ status }) => status)).toEqual(versions.map(() => 'fulfilled'));
  expect(kept).toEqual(versions);
});

it('writes nothing when the change is refused, or is none', async () => {
  const bucket = freshBucket();
  const registry = modelRegistry(bucket);
  await expect(registry.change((state) => promote(state, 'nobody', cause))).rejects.toThrow(/no model nobody/);
  await registry.change((state) => state);
  expect(await bucket.get(STATE_KEY)).toBeUndefined();
});

it('never overwrites a version', async () => {
  const registry = modelRegistry(freshBucket());
  const files = { artefact: Buffer.from([1, 2, 3]), text: 'tree', metadata: '{"a":1}', evaluation: '{}' };
  await registry.store('m1', files);
  await registry.store('m1', { ...files, metadata: '{"a":2}' });
  expect(Buffer.from(await registry.file('m1', 'metadata')).toString()).toBe('{"a":1}');
  expect([...(await registry.file('m1', 'artefact'))]).toEqual([1, 2, 3]);
  await expect(registry.file('m2', 'artefact')).rejects.toThrow('models/m2/artefact.bin');
});

it('refuses a document of another format rather than misread it', async () => {
  const bucket = freshBucket();
  await bucket.put(STATE_KEY, '{"format":2}');
  await expect(modelRegistryReader(bucket).state()).rejects.toThrow(/format 2/);
});
