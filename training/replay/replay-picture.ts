import { linearScale, roundSteps } from '../../shared/charts/axes';
import { coordinate, gridLine, polylinePoints } from '../../shared/charts/svg-path';
import { MOST_POINTS_MOVED } from '../../shared/domain/models/evaluation/score-move';
import { escapeHtml } from '../report/charts';
import type { Promotion } from './replay';
import type { SplitReport } from './replay-report';
import { type ModelPeriod, mergePeriods, mergeWeeks, type Week } from './week-report';

const WIDTH = 860;
const LEFT = 210;
const RIGHT = 700;
const ROW = 30;
const PLOT = 150;
/** Room for a panel's title above, and for its ticks below. */
const HEAD = 52;
const FOOT = 34;

const STYLE = `text{font:13px system-ui,sans-serif;fill:#1f2937}.tick{font-size:11px;fill:#6b7280}.title{font-weight:600;font-size:15px}
.grid{stroke:#e5e7eb}.expected,.mean{fill:#2563eb}.actual{fill:#94a3b8}.most{fill:#dbeafe}.usual{fill:#93c5fd}.bound{stroke:#dc2626;stroke-dasharray:4 3}
.line{fill:none;stroke-width:2}.blocked{stroke:#dc2626}.reviewed{stroke:#d97706}
@media(prefers-color-scheme:dark){text{fill:#e5e7eb}.tick{fill:#9ca3af}.grid{stroke:#374151}.actual{fill:#64748b}.most{fill:#1e3a5f}}`;

interface Panel {
  readonly title: string;
  readonly key: string;
  readonly height: number;
  /** Its marks, with y from 0 below the title. */
  readonly marks: readonly string[];
}

const text = (position: string, content: string, name = ''): string =>
  `<text${name && ` class="${name}"`} ${position}>${escapeHtml(content)}</text>`;

const bar = (name: string, top: number, height: number, to: number): string =>
  `<rect class="${name}" x="${LEFT}" y="${coordinate(top)}" width="${coordinate(Math.max(1, to - LEFT))}" height="${height}" rx="2"/>`;

const acrossTicks = (ticks: readonly number[], across: (value: number) => number, height: number): string[] =>
  ticks.flatMap((at) => {
    const x = coordinate(across(at));
    return [
      `<line class="grid" x1="${x}" x2="${x}" y1="0" y2="${height}"/>`,
      text(`x="${x}" y="${height + 16}" text-anchor="middle"`, String(at), 'tick'),
    ];
  });

function fraudPanel(models: readonly ModelPeriod[]): Panel {
  const most = Math.max(1, ...models.flatMap(({ expected, fraud }) => [expected, fraud]));
  const across = linearScale([0, most], [LEFT, RIGHT]);
  const height = models.length * ROW;
  return {
    title: 'Expected and actual fraud, by model',
    key: 'blue: expected · grey: actual · right: expected to actual',
    height,
    marks: [
      ...acrossTicks(roundSteps(0, most), across, height),
      ...models.flatMap(({ version, expected, fraud }, row) => [
        text(`x="${LEFT - 10}" y="${row * ROW + 18}" text-anchor="end"`, version),
        bar('expected', row * ROW + 3, 11, across(expected)),
        bar('actual', row * ROW + 15, 11, across(fraud)),
        text(`x="${RIGHT + 14}" y="${row * ROW + 18}"`, fraud === 0 ? 'no fraud' : (expected / fraud).toFixed(2)),
      ]),
    ],
  };
}

const LEAST_SHARE = 0.001;

function weekPanel(weeks: readonly Week[]): Panel {
  const shareOf = (of: 'honest_blocked' | 'honest_reviewed') => (week: Week) => week[of] / Math.max(1, week.honest);
  const [blocked, reviewed] = [shareOf('honest_blocked'), shareOf('honest_reviewed')];
  const most = Math.max(LEAST_SHARE, ...weeks.flatMap((week) => [blocked(week), reviewed(week)]));
  const up = linearScale([0, most], [PLOT, 0]);
  const across = linearScale([0, weeks.length - 1], [LEFT, RIGHT]);
  const line = (name: string, share: (week: Week) => number) =>
    `<polyline class="line ${name}" points="${polylinePoints(weeks.map((week, i) => [across(i), up(share(week))]))}"/>`;
  const shown = roundSteps(0, weeks.length - 1, 5).filter((i) => Number.isInteger(i));
  return {
    title: 'Honest attempts stopped, by week',
    key: 'red: blocked · orange: reviewed',
    height: PLOT,
    marks: [
      ...roundSteps(0, most).flatMap((at) => [
        gridLine([LEFT, RIGHT], up(at)),
        text(`x="${LEFT - 10}" y="${coordinate(up(at) + 4)}" text-anchor="end"`, `${+(100 * at).toFixed(3)}%`, 'tick'),
      ]),
      ...shown.map((i) =>
        text(`x="${coordinate(across(i))}" y="${PLOT + 16}" text-anchor="middle"`, weeks[i]?.week ?? '', 'tick'),
      ),
      line('reviewed', reviewed),
      line('blocked', blocked),
    ],
  };
}

function movePanel(promotions: readonly Promotion[]): Panel {
  const most = Math.max(MOST_POINTS_MOVED, ...promotions.map(({ move }) => move.most_points));
  const across = linearScale([0, most], [LEFT, RIGHT]);
  const height = promotions.length * ROW;
  const bound = coordinate(across(MOST_POINTS_MOVED));
  return {
    title: 'Points by which the scores of the same screenings moved, at each change of model',
    key: `dark: on average · light: at most in 95% · pale: at most · dashed: ${MOST_POINTS_MOVED} points · right: decisions that flip`,
    height,
    marks: [
      ...acrossTicks(roundSteps(0, most), across, height),
      ...promotions.flatMap(({ at, version, move }, row) => [
        text(`x="${LEFT - 10}" y="${row * ROW + 12}" text-anchor="end"`, version),
        text(`x="${LEFT - 10}" y="${row * ROW + 25}" text-anchor="end"`, at, 'tick'),
        bar('most', row * ROW + 3, 24, across(move.most_points)),
        bar('usual', row * ROW + 7, 16, across(move.usual_points)),
        bar('mean', row * ROW + 11, 8, across(move.mean_points)),
        text(`x="${RIGHT + 14}" y="${row * ROW + 18}"`, `${move.flips} of ${move.rows}`),
      ]),
      `<line class="bound" x1="${bound}" x2="${bound}" y1="0" y2="${height}"/>`,
    ],
  };
}

/** A replay as a picture: each model's expectation, the weeks, and how far scores moved at each change of model. */
export function replayPicture(splits: readonly SplitReport[], promotions: readonly Promotion[]): string {
  const weeks = mergeWeeks(splits.flatMap((split) => split.weeks));
  const panels = [
    fraudPanel(mergePeriods(splits.flatMap(({ models }) => models))),
    ...(weeks.length > 1 ? [weekPanel(weeks)] : []),
    ...(promotions.length > 0 ? [movePanel(promotions)] : []),
  ];
  let top = 0;
  const drawn = panels.map(({ title, key, height, marks }) => {
    const at = top;
    top += HEAD + height + FOOT;
    return `<g transform="translate(0 ${at})">${text('x="10" y="22"', title, 'title')}${text('x="10" y="40"', key, 'tick')}
<g transform="translate(0 ${HEAD})">${marks.join('\n')}</g></g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" role="img" aria-label="Expected and actual fraud by model, honest attempts stopped by week, and how far scores moved at each change of model">
<style>${STYLE}</style>
${drawn.join('\n')}
</svg>
`;
}
