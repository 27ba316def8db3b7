const WIDTH = 180;
const HEIGHT = 36;

let shared: CanvasRenderingContext2D | null | undefined;

/**
 * The one canvas that all drawing and measuring is done on (each takes a millisecond or two to make), blank. It is in
 * memory only, and drawn by the processor, so that the graphics driver of the day does not matter.
 */
export function blankCanvas(): CanvasRenderingContext2D | null {
  if (shared === undefined) {
    const canvas = document.createElement('canvas');
    canvas.width = WIDTH;
    canvas.height = HEIGHT;
    shared = canvas.getContext('2d', { willReadFrequently: true });
  }
  shared?.clearRect(0, 0, WIDTH, HEIGHT);
  return shared;
}

/** The pixels of two lines of text, as a short checksum: fonts, their hinting and the smoothing of edges show in it. */
export function drawnText(): string | undefined {
  const context = blankCanvas();
  if (!context) return undefined;
  context.fillStyle = '#f60';
  context.fillRect(90, 4, 60, 22);
  context.fillStyle = '#069';
  context.font = '15px sans-serif';
  context.fillText('Zwölf Boxkämpfer 0O1lI', 2, 16);
  context.fillStyle = 'rgba(102, 204, 0, 0.6)';
  context.font = 'italic 17px serif';
  context.fillText('jagen Viktor 😀', 10, 31);
  return checksum(new Uint32Array(context.getImageData(0, 0, WIDTH, HEIGHT).data.buffer));
}

/** FNV-1a over whole pixels. It only has to tell pictures apart; what leaves the device is a SHA-256 over all signals. */
function checksum(pixels: Uint32Array): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < pixels.length; at++) hash = Math.imul(hash ^ (pixels[at] ?? 0), 0x01000193);
  return (hash >>> 0).toString(16);
}

/**
 * Whether the browser changes what is read back from a canvas, as those do that protect from fingerprints (and then
 * they make up other values too). Pixels that were put must come back as they are.
 */
export function isCanvasShielded(): boolean {
  const context = blankCanvas();
  if (!context) return true;
  const put = context.createImageData(64, 16);
  for (let at = 0; at < put.data.length; at++) put.data[at] = at % 4 === 3 ? 255 : (at * 7) % 256;
  context.putImageData(put, 0, 0);
  const got = context.getImageData(0, 0, put.width, put.height).data;
  return got.some((byte, at) => byte !== put.data[at]);
}

/** Shipped with some systems, office suites and design programs, so they differ between machines. */
const FONTS = [
  'Arial Unicode MS',
  'Bahnschrift',
  'Calibri',
  'Century Gothic',
  'Futura',
  'Garamond',
  'Gill Sans MT',
  'Impact',
  'Meiryo',
  'Myriad Pro',
  'Noto Sans',
  'Roboto',
  'Segoe UI Variable',
  'Ubuntu',
];

/** A font is installed when text in it is not as wide as in the fallback font. */
export function installedFonts(): string | undefined {
  const context = blankCanvas();
  if (!context) return undefined;
  const widthIn = (family: string): number => {
    context.font = `64px ${family}`;
    return context.measureText('mmMwWLliI0&1').width;
  };
  const missing = widthIn('monospace');
  return FONTS.map((font) => (widthIn(`"${font}", monospace`) === missing ? 0 : 1)).join('');
}

export function graphicsCard(): string | undefined {
  const gl = document.createElement('canvas').getContext('webgl');
  if (!gl) return undefined;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const names = info ? [info.UNMASKED_VENDOR_WEBGL, info.UNMASKED_RENDERER_WEBGL] : [gl.VENDOR, gl.RENDERER];
  const text = names.map((name) => gl.getParameter(name)).join(' ');
  // A page has only so many contexts: release this one at once.
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return text;
}

export interface Signal {
  readonly name: string;
  readonly what: string;
  readonly read: () => string | number | undefined;
}

/**
 * The parts of the fingerprint. Left out on purpose: versions and the user agent (they change every few weeks), the
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

/** Temporal knows it at once; creating a date formatter takes up to 30 ms on a cold page. */
function timezone(): string {
  const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } };
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Sorted, so that rotating a tablet changes nothing. */
function screenSize(): string {
  const { width, height, colorDepth } = screen;
  return `${Math.max(width, height)}x${Math.min(width, height)}x${colorDepth}`;
}

function deviceMemory(): number | undefined {
  return (navigator as { deviceMemory?: number }).deviceMemory;
}

/** Every signal by its name; null where the browser refuses. */
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

export function forgetStoredId(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing can be stored here, so nothing was.
  }
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
