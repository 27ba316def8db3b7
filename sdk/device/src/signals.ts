import { drawnText } from './canvas';
import { installedFonts } from './fonts';
import { graphicsCard } from './graphics';

/** One thing that is read of the device, and how. */
export interface Signal {
  readonly name: string;
  /** What it is, for a privacy notice. */
  readonly what: string;
  readonly read: () => string | number | undefined;
}

/**
 * What the fingerprint is made of. Left out on purpose: versions and the user agent (they change every few weeks), the
 * size of the window (it changes at will), the list of languages (a private window shows only the first), audio,
 * plug-ins, and settings of accessibility (which are nobody's business).
 */
export const SIGNALS: readonly Signal[] = [
  { name: 'platform', what: 'the operating system, as reported by the browser', read: () => navigator.platform },
  { name: 'language', what: 'the first language of the browser', read: () => navigator.language },
  { name: 'timezone', what: 'the time zone', read: timezone },
  { name: 'screen', what: 'width, height and colour depth of the screen', read: screenSize },
  { name: 'cores', what: 'the number of processor cores', read: () => navigator.hardwareConcurrency },
  { name: 'memory', what: 'the memory in gigabytes, rounded by the browser', read: deviceMemory },
  { name: 'touch', what: 'how many touch points the screen supports', read: () => navigator.maxTouchPoints },
  { name: 'graphics', what: 'maker and model of the graphics card', read: graphicsCard },
  { name: 'fonts', what: 'which of 14 common fonts are installed', read: installedFonts },
  {
    name: 'canvas',
    what: 'how a line of text is drawn, pixel by pixel, on an invisible canvas',
    read: drawnText,
  },
];

/** Temporal knows it at once; a formatter of dates takes up to 30 ms to be made, on a cold page. */
function timezone(): string {
  const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } };
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Sorted: a tablet that is turned is still the same. */
function screenSize(): string {
  const { width, height, colorDepth } = screen;
  return `${Math.max(width, height)}x${Math.min(width, height)}x${colorDepth}`;
}

function deviceMemory(): number | undefined {
  return (navigator as { deviceMemory?: number }).deviceMemory;
}

/** Every signal by its name; one that the browser refuses to give is null. */
export function readSignals(): Record<string, string | number | null> {
  return Object.fromEntries(SIGNALS.map(({ name, read }) => [name, readOrNull(read)]));
}

function readOrNull(read: Signal['read']): string | number | null {
  try {
    return read() ?? null;
  } catch {
    return null;
  }
}
