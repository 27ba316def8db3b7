import type { Attempt, EntityHistory } from './entity-history';

/*
 * Familiarity is earned: by attempts that were allowed, or that a person approved, and by the time they have survived.
 * A thief's first small purchase on a new device may be allowed, but for a week it makes nothing else familiar.
 */

/** What was earned this long ago without being taken back is familiar. */
export const FAMILIAR_MS = 7 * 86_400_000;

/** Whether the attempt comes from a device that its user earned a week ago, or that a person confirmed. */
export const isFamiliarDevice = ({ own_device }: EntityHistory, atMs: number): boolean =>
  own_device !== undefined && atMs - own_device.since_ms >= FAMILIAR_MS;

/** Whether it comes from an address, in a country, from which its user had attempts allowed before. */
export const isFamiliarAddress = ({ seen }: EntityHistory): boolean => seen.ips === true && seen.countries !== false;

/** Whether the user has something to lose: a newcomer's first device is as good as any. */
export const isEstablished = ({ trusted_since_ms }: EntityHistory, atMs: number): boolean =>
  trusted_since_ms !== undefined && atMs - trusted_since_ms >= FAMILIAR_MS;

/**
 * Whether an attempt shows where the user is and on which device: a failed login does not, nor does a password reset or
 * any other change that a thief makes first.
 */
export const showsTheUser = ({ action, outcome }: Attempt): boolean =>
  outcome === 'succeeded' && (action === 'transaction' || action === 'login' || action === 'signup');

/**
 * Whether an allowed attempt of an established user earns its device and nothing else: neither the device nor the
 * address is familiar. Users who never send a device are not judged by it.
 */
export function isOnProbation(attempt: Attempt, user: EntityHistory): boolean {
  if (!isEstablished(user, attempt.at_ms) || isFamiliarAddress(user)) return false;
  return attempt.device === undefined ? user.earned.devices > 0 : !isFamiliarDevice(user, attempt.at_ms);
}
