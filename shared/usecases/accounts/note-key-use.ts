/** Dependencies of noting that a key was used. */
export interface NoteKeyUseDeps {
  readonly uses: { recordUse(accountId: string, keyId: string, hour: string): Promise<boolean> };
  readonly log: { error(message: string, fields: object): void };
}

/** Keys remembered at once; beyond that the memory starts over, which costs refused writes and nothing else. */
const MOST_REMEMBERED = 10_000;

/**
 * Notes a key's use at most once per hour. What this process noted it remembers, so a busy key costs no further call;
 * another process that comes later in the same hour finds the hour stored already. A failure is logged, never thrown:
 * when a key was last used matters less than letting it in.
 */
export function noteKeyUse({ uses, log }: NoteKeyUseDeps) {
  const noted = new Map<string, string>();
  return async (accountId: string, keyId: string, hour: string): Promise<void> => {
    if (noted.get(keyId) === hour) return;
    try {
      await uses.recordUse(accountId, keyId, hour);
      if (noted.size >= MOST_REMEMBERED) noted.clear();
      noted.set(keyId, hour);
    } catch (error) {
      log.error('key use was not recorded', { error });
    }
  };
}
