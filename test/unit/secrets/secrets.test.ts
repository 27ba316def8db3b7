import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { Sealer } from '../../../shared/domain/sealer';
import { aesSealer, type DataKeys } from '../../../shared/secrets/aes-sealer';
import {
  identityKeys,
  parseStageSecret,
  stagePseudonyms,
  withDataKey,
  withIdentityKey,
} from '../../../shared/secrets/stage-pseudonyms';
import { type ResealDeps, reseal, sealedByVersion } from '../../../shared/usecases/secrets/reseal';
import { memorySealedTexts, type PositionedText } from '../../support/memory/memory-sealed-texts';

describe('aes sealer', () => {
  /** Keys by version, the last one current: what Secrets Manager holds after rotations. */
  function keyring(versions: Record<string, string>): DataKeys {
    const current = Object.keys(versions).at(-1) ?? '';
    return {
      current: async () => ({ version: current, material: versions[current] ?? '' }),
      byVersion: async (version) => versions[version] ?? '',
    };
  }

  describe('sealing', () => {
    const sealer = aesSealer(keyring({ v1: 'material one' }), randomBytes);

    it('gives back any text, and never the same ciphertext twice', async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (plain, context) => {
          const sealed = await sealer.seal(plain, context);
          expect(await sealer.open(sealed, context)).toBe(plain);
          expect(await sealer.seal(plain, context)).not.toBe(sealed);
        }),
      );
    });

    it('opens in its own context only', async () => {
      const sealed = await sealer.seal('whsec_x', 'webhook-secret/acc_a/wh_1');
      await expect(sealer.open(sealed, 'webhook-secret/acc_b/wh_1')).rejects.toThrow();
      await expect(sealer.open(sealed, 'webhook-secret/acc_a/wh_2')).rejects.toThrow();
    });

    it('notices every flipped bit', async () => {
      const [format, version, payload = ''] = (await sealer.seal('secret', 'c')).split('.');
      const bytes = Buffer.from(payload, 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await expect(sealer.open([format, version, flipped.toString('base64url')].join('.'), 'c')).rejects.toThrow();
      }
    });

    it('opens what was sealed before a rotation', async () => {
      const old = await sealer.seal('secret', 'c');
      const rotated = aesSealer(keyring({ v1: 'material one', v2: 'material two' }), randomBytes);
      expect(await rotated.open(old, 'c')).toBe('secret');
      const fresh = await rotated.seal('secret', 'c');
      expect(fresh.split('.')[1]).toBe('v2');
      await expect(sealer.open(fresh, 'c')).rejects.toThrow();
    });
  });
});

describe('reseal', () => {
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
});

describe('stage pseudonyms', () => {
  const MINUTE = 60_000;
  const SECRET = '{"material":"first"}';
  const ann = ['acc_1', 'user', 'ann'] as const;

  function stage(answers: Array<string | Error>) {
    let nowMs = 0;
    const failures: unknown[] = [];
    let reads = 0;
    const pseudonyms = stagePseudonyms({
      clock: { now: () => nowMs },
      read: async () => {
        const answer = answers[Math.min(reads++, answers.length - 1)] as string | Error;
        if (answer instanceof Error) throw answer;
        return answer;
      },
      onFailure: (error) => failures.push(error),
    });
    return { pseudonyms, failures, reads: () => reads, pass: (ms: number) => (nowMs += ms) };
  }

  const settled = () => new Promise((resolve) => setImmediate(resolve));

  describe('the pseudonyms of a stage', () => {
    it('are read once, as the function starts, however many requests there are', async () => {
      const { pseudonyms, reads } = stage([SECRET]);
      expect(reads()).toBe(1);
      const first = await pseudonyms();
      const again = pseudonyms();
      expect(again).toBe(first);
      expect(reads()).toBe(1);
    });

    it('are read again beside a request after five minutes, and change only with the secret', async () => {
      const rotated = JSON.stringify(withIdentityKey(parseStageSecret(SECRET), 'second'));
      const { pseudonyms, reads, pass } = stage([SECRET, SECRET, rotated]);
      const first = await pseudonyms();
      pass(5 * MINUTE);
      expect(pseudonyms()).toBe(first);
      await settled();
      expect([reads(), pseudonyms()]).toEqual([2, first]);
      pass(5 * MINUTE);
      expect(pseudonyms()).toBe(first);
      await settled();
      const second = await pseudonyms();
      expect(second.of(...ann)).toMatch(/^2\./);
      expect(second.renewed(first.of(...ann))).toBe(second.of(...ann));
    });

    it('fail one request with 503 if the secret cannot be read, and are read again for the next', async () => {
      const { pseudonyms, failures } = stage([new Error('down'), SECRET]);
      await expect(Promise.resolve(pseudonyms())).rejects.toMatchObject({ code: 'unavailable' });
      expect((await pseudonyms()).of(...ann)).toMatch(/^1\./);
      expect(failures).toHaveLength(1);
    });

    it('are kept when a later read fails', async () => {
      const { pseudonyms, pass, reads } = stage([SECRET, new Error('down'), SECRET]);
      const first = await pseudonyms();
      pass(5 * MINUTE);
      expect(pseudonyms()).toBe(first);
      await settled();
      pass(3_000);
      expect(pseudonyms()).toBe(first);
      await settled();
      expect(reads()).toBe(3);
    });
  });

  it('a new data key leaves the identity keys alone, and the two are never the same', () => {
    const before = parseStageSecret(SECRET);
    const after = withDataKey(before, 'second');
    expect(identityKeys(after)).toEqual(identityKeys(before));
    expect(after.material).toBe('second');
    expect(identityKeys(withIdentityKey(after, 'third'))).toHaveLength(2);
    expect(withIdentityKey(after, 'third').material).toBe('second');
    expect(() => parseStageSecret('{}')).toThrow('no key material');
  });
});
