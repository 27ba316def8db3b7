import { useSignal } from '@preact/signals';
import { asPercent } from '../../../shared/charts/axes';
import { stackValues } from '../../../shared/charts/svg-path';
import { WideTable } from '../parts/panel';
import { wholeNumber } from '../text/words';
import { labelled, roundUp } from './scale';

/** One of the parts that a column is made of; its name is also its colour. */
export interface Series {
  readonly name: 'allow' | 'challenge' | 'review' | 'block';
  readonly label: string;
}

export interface Column {
  readonly label: string;
  /** In short, under the column; empty where a label would not fit. */
  readonly tick: string;
  readonly values: Readonly<Record<Series['name'], number>>;
}

interface StackedColumnsProps {
  readonly series: readonly Series[];
  readonly columns: readonly Column[];
  readonly ticks: number;
  readonly caption: string;
  readonly asTable: boolean;
}

const ColumnTable = ({ series, columns, caption }: StackedColumnsProps) => (
  <WideTable
    label={caption}
    region="chart-table"
    class="figures"
    columns={[caption, ...series.map(({ label }) => label)]}
    rows={columns.map(({ label, values }) => [label, label, ...series.map(({ name }) => wholeNumber(values[name]))])}
  />
);

/** Columns of parts on top of each other. A part can be switched off, to see the small ones. */
export function StackedColumns(props: StackedColumnsProps) {
  const { series, columns, ticks, caption, asTable } = props;
  const off = useSignal<ReadonlySet<string>>(new Set());
  const pointed = useSignal<number | undefined>(undefined);
  const shown = series.filter(({ name }) => !off.value.has(name));
  const sumOf = ({ values }: Column): number => shown.reduce((sum, { name }) => sum + values[name], 0);
  const most = roundUp(Math.max(0, ...columns.map(sumOf)));
  const ticked = columns.filter(({ tick }) => tick !== '');
  const hasLabel = labelled(ticked.length, ticks);
  const labels = ticked.filter((_, index) => hasLabel(index));
  const point = (event: PointerEvent): void => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    pointed.value = Math.min(columns.length - 1, Math.floor(((event.clientX - left) / width) * columns.length));
  };
  const toggle = (name: string): void => {
    const next = new Set(off.value);
    if (!next.delete(name) && next.size < series.length - 1) next.add(name);
    off.value = next;
  };
  const column = pointed.value === undefined ? undefined : columns[pointed.value];

  if (asTable) return <ColumnTable {...props} />;
  return (
    <div class="chart">
      <div class="chart-head">
        <div class="legend">
          {series.map(({ name, label }) => (
            <button
              type="button"
              key={name}
              aria-pressed={!off.value.has(name)}
              title={off.value.has(name) ? `Show ${label}` : `Hide ${label}`}
              onClick={() => toggle(name)}
            >
              <i class={`dot ${name}`} /> {label}
            </button>
          ))}
        </div>
        <p class="readout" aria-hidden="true">
          {column &&
            `${column.label}: ${shown.map(({ name, label }) => `${wholeNumber(column.values[name])} ${label.toLowerCase()}`).join(', ')}`}
        </p>
      </div>
      <div class="plot">
        <div class="y-axis" aria-hidden="true">
          {[1, 0.5, 0].map((share) => (
            <span key={share}>{wholeNumber(most * share)}</span>
          ))}
        </div>
        <svg
          role="img"
          aria-label={`${caption}, as columns. Use the Table button for the numbers.`}
          onPointerMove={point}
          onPointerLeave={() => {
            pointed.value = undefined;
          }}
        >
          {[0, 50, 100].map((y) => (
            <line key={y} class="grid" x1="0" x2="100%" y1={`${y}%`} y2={`${y}%`} />
          ))}
          {columns.map((each, index) => (
            <Stack
              key={each.label}
              column={each}
              series={shown}
              most={most}
              at={index / columns.length}
              width={1 / columns.length}
              isPointed={pointed.value === index}
            />
          ))}
        </svg>
        <div class="x-axis" aria-hidden="true">
          {columns.map((each, index) => {
            const position = labels.indexOf(each);
            // Near the end there is no room to the right.
            const end = index > columns.length * 0.85 ? 'end' : '';
            return (
              <span key={each.label} class={`${position % 2 === 1 ? 'minor' : ''} ${end}`}>
                {position < 0 ? '' : each.tick}
              </span>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface StackProps {
  readonly column: Column;
  readonly series: readonly Series[];
  readonly most: number;
  readonly at: number;
  readonly width: number;
  readonly isPointed: boolean;
}

const GAP = 0.18;

function Stack({ column, series, most, at, width, isPointed }: StackProps) {
  const parts = stackValues(series.map(({ name }) => column.values[name] / most));
  return (
    <g class={isPointed ? 'pointed' : ''}>
      {parts.map(({ from, to }, index) =>
        to === from ? null : (
          <rect
            key={series[index]?.name}
            class={series[index]?.name}
            x={asPercent(at + (width * GAP) / 2)}
            width={asPercent(width * (1 - GAP))}
            y={asPercent(1 - to)}
            height={asPercent(to - from)}
          />
        ),
      )}
    </g>
  );
}
