const KEY = 'fraud-screening-device';

/** A random number that this browser keeps for this site. Undefined where it keeps nothing. */
export function storedId(): string | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept && /^[0-9a-f]{32}$/.test(kept)) return kept;
    const fresh = hex(crypto.getRandomValues(new Uint8Array(16)));
    localStorage.setItem(KEY, fresh);
    return fresh;
  } catch {
    return undefined;
  }
}

/** Forgets the number that `storedId` keeps. */
export function forgetStoredId(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing can be kept here, so nothing was.
  }
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
