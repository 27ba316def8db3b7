/** What a terminal showed at one moment of a run. */
export interface Frame {
  readonly lines: readonly string[];
}

const WIDTH = 900;
const LINE_HEIGHT = 20;
const MARGIN = 18;
const BAR = 34;
const SECONDS_PER_FRAME = 1.2;
/** The last frame is what the reader should take away. */
const LAST_FRAMES = 4;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A line in its colours: the first word of an indented one is a heading. */
function lineOf(text: string, at: number): string {
  const y = BAR + MARGIN + at * LINE_HEIGHT;
  const [, name, rest] = /^ {2}(\S.{0,16}?) {2,}(.*)$/.exec(text) ?? [];
  const shown =
    name === undefined
      ? escaped(text)
      : `<tspan class="name">${escaped(name)}</tspan><tspan x="${MARGIN + 160}">${escaped(rest ?? '')}</tspan>`;
  return `<text x="${MARGIN}" y="${y}">${shown}</text>`;
}

/** Visible from its moment to that of the next one, over and over: SMIL needs no script, so GitHub shows it. */
function frameOf({ lines }: Frame, at: number, count: number): string {
  const slots = count + LAST_FRAMES;
  const from = at / slots;
  const to = at === count - 1 ? 1 : (at + 1) / slots;
  const keyTimes = [...new Set([0, from, to])].map((time) => time.toFixed(4));
  const values = from === 0 ? ['inline', 'none'] : ['none', 'inline', 'none'];
  const held = values.slice(0, keyTimes.length).join(';');
  const timing = `dur="${(slots * SECONDS_PER_FRAME).toFixed(1)}s" repeatCount="indefinite" calcMode="discrete"`;
  // Where nothing is animated, the last frame is the picture.
  const first = at === count - 1 ? 'inline' : 'none';
  return `<g display="${first}"><animate attributeName="display" ${timing} keyTimes="${keyTimes.join(';')}" values="${held}"/>${lines
    .map(lineOf)
    .join('')}</g>`;
}

/** A run as an animated picture of its terminal: text, a few kilobytes, sharp at every size. */
export function animation(command: string, frames: readonly Frame[]): string {
  const rows = Math.max(...frames.map(({ lines }) => lines.length));
  const height = BAR + 2 * MARGIN + (rows - 1) * LINE_HEIGHT;
  const last = frames.at(-1)?.lines.join('. ') ?? '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(`${command}: ${last}`).replaceAll('"', '&quot;')}">
<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d8dee9;white-space:pre}.name{fill:#88c0d0}.bar{fill:#a3be8c}</style>
<rect width="${WIDTH}" height="${height}" rx="8" fill="#1c2128"/>
<text class="bar" x="${MARGIN}" y="24">$ ${escaped(command)}</text>
${frames.map((frame, at) => frameOf(frame, at, frames.length)).join('\n')}
</svg>
`;
}
