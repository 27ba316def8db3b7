import { stagePseudonyms } from '../../../shared/secrets/stage-pseudonyms';
import { identityKeys, parseStageSecret, withDataKey, withIdentityKey } from '../../../shared/secrets/stage-secret';

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
