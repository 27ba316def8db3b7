import { forgetStoredId, hex, isCanvasShielded, readSignals, SIGNALS, storedId } from './signals';

export interface DeviceOptions {
  /**
   * Asked before anything is read or kept. Answer true when your user has agreed, or when you need no consent (ask
   * your lawyer: preventing fraud may be a legitimate interest, but reading a device is regulated separately).
   */
  readonly consent: () => boolean | Promise<boolean>;
}

export interface CollectedSignal {
  readonly name: string;
  readonly what: string;
}

/** Everything that is ever read, for your privacy notice. Reads nothing itself. */
export const collectedSignals = (): readonly CollectedSignal[] => [
  ...SIGNALS.map(({ name, what }) => ({ name, what })),
  {
    name: 'mobile',
    what: 'whether it is a phone or tablet; decides between the signals above and the stored random number',
  },
  {
    name: 'stored_id',
    what: 'on phones, Firefox, Safari and Brave, instead of all the signals above: a stored random number',
  },
];

/**
 * The `device_fingerprint` of this device, 36 characters; null without consent, on a page that is not secure (https or
 * localhost), and where the browser allows neither way to know a device again. Then send no `device_fingerprint`.
 */
export async function deviceFingerprint({ consent }: DeviceOptions): Promise<string | null> {
  if ((await consent()) !== true || !isSecureContext) return null;
  if (!canTellDevicesApart()) {
    const id = storedId();
    return id ? `id1_${id}` : null;
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(readSignals())));
  return `fp1_${hex(new Uint8Array(digest).subarray(0, 16))}`;
}

/** The values that a fingerprint of this device is made of, for a page that shows them to their owner. */
export async function deviceSignals({
  consent,
}: DeviceOptions): Promise<Record<string, string | number | null> | null> {
  return (await consent()) === true ? readSignals() : null;
}

/** For withdrawn consent: forgets what the browser kept. */
export const forgetDevice = (): void => forgetStoredId();

/**
 * On desktop Chromium the signals differ between devices and are the same in a private window. Elsewhere a fingerprint
 * would either change (Firefox, Safari and Brave make up values, in private windows or always) or be shared by all
 * phones of one model, whose honest owners would be taken for one person with many accounts.
 */
function canTellDevicesApart(): boolean {
  const hints = (navigator as { userAgentData?: { mobile: boolean; platform: string } }).userAgentData;
  // A tablet reports that it is not mobile.
  return hints?.mobile === false && hints.platform !== 'Android' && !isCanvasShielded();
}
