import { EMPTY_REGISTRY, promote, register } from '../../../shared/domain/models/registry-state';
import type { RegistryPort } from '../../../shared/usecases/models/registry-port';
import type { FollowModelsDeps } from '../../../shared/usecases/screening/followers';
import type { MakePort } from './fresh-account';

/** The registry, as training changes it and functions follow it. */
export type RegistryUnderTest = RegistryPort & Pick<FollowModelsDeps['own'], 'stateSince'>;

const cause = { at: '2026-03-01T10:00:00.000Z', by: 'test', reason: 'because' };
const FILES = { artefact: new Uint8Array([1, 2, 3]), text: 'tree', metadata: '{"a":1}', evaluation: 'null' };

/** Tests that every registry of models must pass. `makePort` returns an empty one. */
export function describeModelRegistryConformance(name: string, makePort: MakePort<RegistryUnderTest>): void {
  describe(`the model registry in ${name}`, () => {
    let registry: RegistryUnderTest;
    beforeEach(async () => {
      registry = await makePort();
    });
    const versions = async () => (await registry.state()).state.models.map(({ version }) => version);

    it('begins empty, keeps what was decided, and says when nothing changed', async () => {
      expect((await registry.state()).state).toEqual(EMPTY_REGISTRY);
      const changed = await registry.change((state) => register(state, 'm1', 'sandbox', cause));
      expect((await registry.state()).state).toEqual(changed);
      const read = await registry.stateSince(undefined);
      const { etag } = read as { etag: string };
      expect(await registry.stateSince(etag)).toBe('unchanged');
      await registry.change((state) => promote(state, 'm1', cause));
      expect(await registry.stateSince(etag)).toMatchObject({ state: { models: [{ status: 'champion' }] } });
    });

    it('asks a rival again with what the one before it decided, so that no change is lost', async () => {
      const names = ['a', 'b', 'c', 'd'];
      await Promise.all(names.map((each) => registry.change((state) => register(state, each, 'sandbox', cause))));
      expect((await versions()).sort()).toEqual(names);
    });

    it('changes nothing when the decision is refused, or is none', async () => {
      await expect(registry.change((state) => promote(state, 'nobody', cause))).rejects.toThrow(/no model nobody/);
      expect(await registry.change((state) => state)).toEqual(EMPTY_REGISTRY);
      expect(await registry.stateSince(undefined)).toEqual({ state: EMPTY_REGISTRY, etag: undefined });
    });

    it('stores the files of a version once, and what was missing of them later', async () => {
      await registry.store('m1', FILES);
      await registry.store('m1', { ...FILES, metadata: '{"a":2}', shadow: '{}' });
      const text = async (file: 'metadata' | 'shadow') => Buffer.from(await registry.file('m1', file)).toString();
      expect([await text('metadata'), await text('shadow')]).toEqual(['{"a":1}', '{}']);
      expect([...(await registry.file('m1', 'artefact'))]).toEqual([1, 2, 3]);
    });

    it('finds no file that was not stored, and says so to who insists', async () => {
      await registry.store('m1', FILES);
      expect(await registry.findFile('m1', 'shadow')).toBeUndefined();
      await expect(registry.file('m1', 'shadow')).rejects.toThrow('models/m1/shadow-evaluation.json');
      await expect(registry.file('m2', 'artefact')).rejects.toThrow('models/m2/artefact.bin');
    });
  });
}
