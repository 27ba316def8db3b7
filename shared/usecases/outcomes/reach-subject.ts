import type { Caller } from '../../domain/accounts/account';
import { type KeptSubject, keptSubject, keptUntilMs } from '../../domain/outcomes/kept-subject';
import { isRetained } from '../../domain/screening/subjects/screening-record';
import type { OutsideOutcomesDeps } from './outside-outcomes-port';

// Rivals on one subject are a processor's repeats and people at a keyboard.
export const MAX_ROUNDS = 8;

/** A subject that labels may still reach; kept from now on, if it was not. `changed` if it has to be read again. */
export async function reachSubject(
  { outside, screenings }: Pick<OutsideOutcomesDeps, 'outside' | 'screenings'>,
  { account_id, settings }: Pick<Caller, 'account_id' | 'settings'>,
  ulid: string,
  nowMs: number,
): Promise<KeptSubject | 'changed' | undefined> {
  const kept = await outside.kept(account_id, ulid);
  if (kept) return nowMs < kept.kept_until_ms ? kept : undefined;
  const record = await screenings.find(account_id, ulid);
  if (!record || !isRetained(record, nowMs)) return undefined;
  const fresh = keptSubject(record, keptUntilMs(settings, record));
  return (await outside.keep(account_id, record, fresh)) ? fresh : 'changed';
}
