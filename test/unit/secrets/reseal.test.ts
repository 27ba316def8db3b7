import type { Sealer } from '../../../shared/domain/sealer';
import { type ResealDeps, reseal, sealedByVersion } from '../../../shared/usecases/secrets/reseal';
import { memorySealedTexts, type PositionedText } from '../../support/memory/memory-sealed-texts';

/** Seals visibly: `version|context|text`, and opens nothing in another context. */
const sealer: Sealer = {
  seal: async (plain, context) => `v2|${context}|${plain}`,
  open: async (text, context) => {
    const [, sealedIn, plain] = text.split('|');
    if (sealedIn !== context) throw new Error(`Sealed in another context than ${context}`);
    return plain ?? '';
  },
};

const text = (version: string, context: string, plain = 'secret') => ({
  context,
  text: `${version}|${context}|${plain}`,
});

function world(...texts: ReadonlyArray<{ readonly text: string; readonly context: string }>) {
  const sealed = memorySealedTexts(texts);
  const deps: ResealDeps<PositionedText> = {
    sealed,
    sealer,
    currentVersion: async () => 'v2',
    versionOf: (each) => (each.includes('|') ? each.split('|')[0] : undefined),
  };
  return { sealed, deps };
}

it('counts texts by the version they were sealed with, and leaves out what is not sealed', async () => {
  const { deps } = world(text('v1', 'a'), text('v2', 'b'), text('v1', 'c'), { text: '', context: 'd' });
  expect([...(await sealedByVersion(deps))]).toEqual([
    ['v1', 2],
    ['v2', 1],
  ]);
});

it('seals anew what an older version sealed, and nothing else', async () => {
  const { deps, sealed } = world(text('v1', 'a', 'one'), text('v2', 'b'), { text: '', context: 'c' });
  const seen: number[] = [];
  expect(await reseal(deps, (count) => seen.push(count))).toEqual({ resealed: 1, current: 1, changedMeanwhile: 0 });
  expect(sealed.held.map((each) => each.text)).toEqual(['v2|a|one', 'v2|b|secret', '']);
  expect(seen).toEqual([1, 2]);
});

it('leaves alone what somebody changed while it was being sealed', async () => {
  const { deps, sealed } = world(text('v1', 'a'), text('v1', 'b'));
  const changing: Sealer = {
    ...sealer,
    seal: async (plain, context) => {
      if (context === 'a') sealed.held[0] = text('v2', 'a', 'rotated');
      return sealer.seal(plain, context);
    },
  };
  expect(await reseal({ ...deps, sealer: changing }, () => undefined)).toEqual({
    ...{ resealed: 1, current: 0, changedMeanwhile: 1 },
  });
  expect(sealed.held[0]).toEqual(text('v2', 'a', 'rotated'));
});

it('broken off by a text that does not open, it continues where it was when it is run again', async () => {
  const { deps, sealed } = world(text('v1', 'a'), { context: 'b', text: 'v1|moved|x' }, text('v1', 'c'));
  await expect(reseal(deps, () => undefined)).rejects.toThrow('another context');
  expect(sealed.held.map((each) => each.text.slice(0, 2))).toEqual(['v2', 'v1', 'v1']);
  sealed.held[1] = text('v2', 'b');
  expect(await reseal(deps, () => undefined)).toEqual({ resealed: 1, current: 2, changedMeanwhile: 0 });
});
