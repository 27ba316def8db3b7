import { useEffect } from 'preact/hooks';
import type { Overview } from '../api/types';
import { type Column, type Series, StackedColumns } from '../charts/stacked-columns';
import { Outcomes, Precision, Tiles, TopSignals, Workload } from '../parts/overview-panels';
import { ChartPanel, Empty, Failed, PageHeading, Panel, Skeleton } from '../parts/panel';
import { openOverview, overviewView } from '../state/loadable';
import { whileVisible } from '../state/page';
import { addressOf, RANGES, type Range } from '../state/route';
import { intervalLabel } from '../text/words';

const REFRESH_MS = 60_000;

/** Rare first: what matters sits on the baseline, where columns can be compared. */
const SERIES: readonly Series[] = [
  { name: 'block', label: 'Blocked' },
  { name: 'review', label: 'Sent to review' },
  { name: 'challenge', label: 'Challenged' },
  { name: 'allow', label: 'Allowed' },
];

/** Most accounts challenge nobody: then there is nothing to switch on or off. */
const seriesOf = ({ screenings }: Overview): readonly Series[] =>
  screenings.challenge === 0 ? SERIES.filter(({ name }) => name !== 'challenge') : SERIES;

const RANGE_NAMES: Readonly<Record<Range, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
};

const time = (iso: string, options: Intl.DateTimeFormatOptions): string =>
  new Date(iso).toLocaleString('en-GB', options);

function columnsOf({ decisions, interval }: Overview): readonly Column[] {
  const short: Intl.DateTimeFormatOptions =
    interval === 'hour' && decisions.length <= 48
      ? { hour: '2-digit', minute: '2-digit' }
      : { day: 'numeric', month: 'short', ...(interval === 'day' ? { timeZone: 'UTC' } : {}) };
  // Days are marked where they begin; hours within them have no mark.
  const hasTick = (at: string): boolean =>
    interval === 'day' || decisions.length <= 48 || new Date(at).getHours() === 0;
  return decisions.map(({ at, ...values }) => ({
    label: intervalLabel(at, interval),
    tick: hasTick(at) ? time(at, short) : '',
    values,
  }));
}

const bandsOf = ({ scores }: Overview): readonly Column[] =>
  scores.map(({ from, to, allow, challenge, review, block }) => ({
    label: `Score ${from} to ${to}`,
    tick: String(from),
    values: { allow, challenge, review, block },
  }));

function Totals({ overview }: { readonly overview: Overview }) {
  if (overview.screenings.total === 0 && overview.cases.opened === 0) {
    return (
      <div class="panel">
        <Empty title="No screenings in this period">
          <p>Data appears about a minute after the first screening.</p>
        </Empty>
      </div>
    );
  }
  return (
    <>
      <Tiles overview={overview} />
      <div class="charts">
        <ChartPanel title="Decisions over time" class="wide">
          {(asTable) => (
            <StackedColumns
              series={seriesOf(overview)}
              columns={columnsOf(overview)}
              ticks={8}
              caption={overview.interval === 'hour' ? 'Decisions by hour' : 'Decisions by day (UTC)'}
              asTable={asTable}
            />
          )}
        </ChartPanel>
        <div class="chart-column">
          <ChartPanel title="Scores">
            {(asTable) => (
              <StackedColumns
                series={seriesOf(overview)}
                columns={bandsOf(overview)}
                ticks={10}
                caption="Screenings by score"
                asTable={asTable}
              />
            )}
          </ChartPanel>
          <Outcomes overview={overview} />
          <Precision overview={overview} />
        </div>
        <div class="chart-column">
          <Panel title="Analysts">
            <Workload overview={overview} />
          </Panel>
          <TopSignals overview={overview} />
        </div>
      </div>
    </>
  );
}

export function OverviewPage({ range }: { readonly range: Range }) {
  const { data, failure, isLoading } = overviewView.value;
  useEffect(() => {
    void openOverview(range);
    return whileVisible(REFRESH_MS, () => void openOverview(range));
  }, [range]);
  // The previous range stays visible while a new one loads, but not when loading fails.
  const isShown = data?.range === range;
  return (
    <div class="page overview" aria-busy={isLoading}>
      <div class="page-head">
        <PageHeading>Overview</PageHeading>
        <nav class="tabs" aria-label="Range">
          {RANGES.map((each) => (
            <a
              key={each}
              href={addressOf({ page: 'overview', range: each })}
              {...(each === range ? { 'aria-current': 'true' } : {})}
            >
              {RANGE_NAMES[each]}
            </a>
          ))}
        </nav>
      </div>
      {failure && isShown && (
        <p class="banner" role="status">
          Could not refresh this page. Retrying in a minute.
        </p>
      )}
      {failure && !isShown && (
        <div class="panel">
          <Failed failure={failure} retry={() => void openOverview(range)} />
        </div>
      )}
      {!failure && !data && (
        <div class="panel">
          <Skeleton lines={12} label="Loading the overview" />
        </div>
      )}
      {data && (isShown || !failure) && <Totals overview={data.overview} />}
    </div>
  );
}
