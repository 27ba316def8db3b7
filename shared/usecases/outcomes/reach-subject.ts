import type { Caller } from '../../domain/accounts/account';
import { type KeptSubject, keptSubject, keptUntilMs } from '../../domain/outcomes/kept-subject';
import { isRetained } from '../../domain/screening/subjects/screening-record';
import type { OutsideOutcomesDeps } from './outside-outcomes-port';

// Rivals on one subject are a processor's repeats and people at a keyboard.
export const MAX_ROUNDS = 8;

/** A subject that labels may still reach; of version −1 if it is not kept yet, to be stored with its first outcome. */
export async function findSubject(
  { outside, screenings }: Pick<OutsideOutcomesDeps, 'outside' | 'screenings'>,
  { account_id, settings }: Pick<Caller, 'account_id' | 'settings'>,
  ulid: string,
  nowMs: number,
): Promise<KeptSubject | undefined> {
  const kept = await outside.kept(account_id, ulid);
  if (kept) return nowMs < kept.kept_until_ms ? kept : undefined;
  const record = await screenings.find(account_id, ulid);
  if (!record || !isRetained(record, nowMs)) return undefined;
  return { ...keptSubject(record, keptUntilMs(settings, record)), version: -1 };
}

/** The same, kept from now on. `changed` if it has to be read again. */
export async function reachSubject(
  deps: Pick<OutsideOutcomesDeps, 'outside' | 'screenings'>,
  caller: Pick<Caller, 'account_id' | 'settings'>,
  ulid: string,
  nowMs: number,
): Promise<KeptSubject | 'changed' | undefined> {
  const found = await findSubject(deps, caller, ulid, nowMs);
  if (found?.version !== -1) return found;
  const fresh = { ...found, version: 0 };
  return (await deps.outside.keep(caller.account_id, fresh)) ? fresh : 'changed';
}
