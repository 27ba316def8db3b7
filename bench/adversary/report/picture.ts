import { linearScale } from '../../../shared/charts/linear-scale';
import { coordinate } from '../../../shared/charts/svg-path';
import type { Strategy } from '../play/strategy';
import { firstAllowText, hurtText, successOf } from './cells';
import { firstAndLatest, type KeptRun } from './history';

const WIDTH = 860;
const LEFT = 190;
const RIGHT = 620;
const TOP = 56;
const ROW = 26;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const STYLE = `text{font:13px system-ui,sans-serif;fill:#1f2937}.tick{font-size:11px;fill:#6b7280}.title{font-weight:600;font-size:15px}
.grid{stroke:#e5e7eb}.first{fill:#cbd5e1}.latest{fill:#dc2626}.held{fill:#16a34a}
@media(prefers-color-scheme:dark){text{fill:#e5e7eb}.tick{fill:#9ca3af}.grid{stroke:#374151}.first{fill:#475569}}`;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

/** How much each strategy got of what it wanted, when it was first measured and now. */
export function picture(history: readonly KeptRun[], strategies: readonly Strategy[]): string {
  const across = linearScale([0, 1], [LEFT, RIGHT]);
  const played = strategies.flatMap((strategy) => {
    const found = firstAndLatest(history, strategy.name);
    return found ? [{ strategy, ...found }] : [];
  });
  const bottom = TOP + played.length * ROW;
  const ticks = TICKS.map(
    (at) =>
      `<line class="grid" x1="${coordinate(across(at))}" x2="${coordinate(across(at))}" y1="${TOP - 6}" y2="${bottom}"/>` +
      `<text class="tick" x="${coordinate(across(at))}" y="${bottom + 16}" text-anchor="middle">${100 * at}%</text>`,
  );
  const bar = (name: string, share: number, top: number, height: number): string => {
    const width = Math.max(share === 0 ? 0 : 2, across(share) - LEFT);
    return `<rect class="${name}" x="${LEFT}" y="${top}" width="${coordinate(width)}" height="${height}" rx="2"/>`;
  };
  const rows = played.map(({ strategy, first, latest }, row) => {
    const top = TOP + row * ROW;
    const [before, now] = [successOf(strategy, first), successOf(strategy, latest)];
    const allowed = latest.first_allow ? `attempt ${firstAllowText(latest)}` : 'never allowed';
    const said = latest.aim === 'people' ? `${hurtText(latest)} people stopped` : allowed;
    const held = `<circle class="held" cx="${LEFT + 5}" cy="${top + 14}" r="4"/>`;
    return (
      `<text x="${LEFT - 10}" y="${top + 16}" text-anchor="end">${escaped(strategy.name)}</text>` +
      bar('first', before, top + 2, 20) +
      (now === 0 ? held : bar('latest', now, top + 7, 10)) +
      `<text class="tick" x="${RIGHT + 14}" y="${top + 16}">${escaped(said)}</text>`
    );
  });
  const height = bottom + 30;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="How much each strategy got of what it wanted, when first measured and now">
<style>${STYLE}</style>
<text class="title" x="10" y="22">How much each strategy got of what it wanted</text>
<text class="tick" x="10" y="40">grey: when first measured · red: now · green dot: now nothing · right: first allow, or people stopped</text>
${ticks.join('\n')}
${rows.join('\n')}
</svg>
`;
}
