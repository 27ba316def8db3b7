import { insist, reach } from '../../../../shared/store/sdk/client';

const named = (name: string): Error => Object.assign(new Error(name), { name });

/** A call that fails with these errors, one after another, and then succeeds. */
function failing(...errors: readonly string[]) {
  const left = [...errors];
  let calls = 0;
  const call = async (): Promise<string> => {
    calls++;
    const error = left.shift();
    if (error !== undefined) throw named(error);
    return 'written';
  };
  return { call, calls: () => calls };
}

describe('a write that a request stands or falls with', () => {
  it('is sent once more when it was refused for load', async () => {
    const { call, calls } = failing('ProvisionedThroughputExceededException');
    expect(await reach(() => insist(1_000, call))).toBe('written');
    expect(calls()).toBe(2);
  });

  it('is not sent a third time', async () => {
    const { call, calls } = failing('ThrottlingException', 'ThrottlingException', 'ThrottlingException');
    await expect(reach(() => insist(1_000, call))).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls()).toBe(2);
  });

  it.each(['TimeoutError', 'InternalServerError', 'ECONNRESET', 'ConditionalCheckFailedException'])(
    'is not repeated after %s, when it may have been carried out',
    async (name) => {
      const { call, calls } = failing(name);
      await expect(insist(1_000, call)).rejects.toThrow(name);
      expect(calls()).toBe(1);
    },
  );

  it('shares one limit between both', async () => {
    const call = ({ abortSignal }: { readonly abortSignal: AbortSignal }): Promise<string> =>
      new Promise((_, reject) => {
        abortSignal.addEventListener('abort', () => reject(named('AbortError')));
      });
    await expect(insist(1, call)).rejects.toThrow('AbortError');
  });
});
