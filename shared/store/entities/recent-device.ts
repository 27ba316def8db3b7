import type { EntityProfile } from '../../domain/entities/entity-history';
import { deviceHash } from '../../domain/entities/short-hash';
import { type AttributeValue, textOf } from '../sdk/attribute-value';

const HASH_CHARACTERS = 6;

/** A device and when it was seen, as a slot of a user's item holds it: the hash, then seconds in base 36. */
export const recentDeviceText = (device: string, atMs: number): string =>
  deviceHash(device) + Math.floor(atMs / 1000).toString(36);

/** The content of a slot; undefined if it is empty. */
export function recentDevice(value: AttributeValue | undefined): EntityProfile['recent_devices'][number] | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  return {
    device: text.slice(0, HASH_CHARACTERS),
    last_seen_ms: Number.parseInt(text.slice(HASH_CHARACTERS), 36) * 1000,
  };
}
