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
