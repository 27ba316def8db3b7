import { asPercent } from '../../../shared/charts/axes';
import { stackValues } from '../../../shared/charts/svg-path';
import type { Overview } from '../api/types';
import { type Bar, Bars } from '../charts/bars';
import { addressOf, type DecisionKind, FIRST_FILTER, type QueueFilter } from '../state/route';
import { dollars, nameOf, percent, plural, spanTime, trendText, wholeNumber } from '../text/words';
import { Panel, Table } from './panel';

type Totals = Omit<NonNullable<Overview['previous']>, 'warnings'>;

/** The decisions behind a number: of the same span, so that list and number are the same. */
export const decisionsOf = ({ start_date: from, end_date: to }: Overview, kind: DecisionKind): string =>
  addressOf({ page: 'decisions', kind, from, to });

export const casesOf = ({ start_date: from, end_date: to }: Overview, filter: Partial<QueueFilter>): string =>
  addressOf({ page: 'queue', filter: { ...FIRST_FILTER, from, to, ...filter } });

interface Tile {
  readonly name: string;
  readonly value: string;
  readonly more: string;
  readonly href?: string;
  readonly of?: (totals: Totals) => number;
}

const share = (value: number | null): string => (value === null ? '–' : percent(value));

function tilesOf(overview: Overview): readonly Tile[] {
  const { screenings, in_force, money, missed_fraud, cases, desk } = overview;
  const { confirmed_fraud: rightly, confirmed_legitimate: wrongly } = overview.outcomes.block;
  return [
    {
      name: 'Screened',
      value: wholeNumber(screenings.total),
      more: `${plural(screenings.transactions, 'payment')}, ${plural(screenings.events, 'event')}`,
      of: (totals) => totals.screenings.total,
    },
    {
      name: 'Blocked',
      value: wholeNumber(in_force.block),
      more: `${dollars(money.blocked_usd)} stopped`,
      href: decisionsOf(overview, 'block'),
      of: (totals) => totals.in_force.block,
    },
    {
      name: 'Held',
      value: wholeNumber(in_force.review),
      more: `${dollars(money.held_usd)} not decided`,
      href: decisionsOf(overview, 'review'),
      of: (totals) => totals.in_force.review,
    },
    {
      name: 'Missed fraud',
      value: wholeNumber(missed_fraud),
      more: `${dollars(money.missed_usd)} reported on allowed payments`,
      href: decisionsOf(overview, 'missed_fraud'),
      of: (totals) => totals.missed_fraud,
    },
    {
      name: 'Open cases',
      value: wholeNumber(cases.open),
      more: `of ${wholeNumber(cases.opened)} opened`,
      href: casesOf(overview, { status: 'open' }),
      of: (totals) => totals.cases.opened,
    },
    {
      name: 'Review precision',
      value: share(overview.review_precision),
      more: `${wholeNumber(cases.rejected)} of ${wholeNumber(cases.rejected + cases.approved)} were fraud`,
      href: casesOf(overview, { status: 'rejected' }),
    },
    {
      name: 'Block precision',
      value: share(overview.block_precision),
      more: `${wholeNumber(rightly)} of ${wholeNumber(rightly + wrongly)} with a known outcome`,
    },
    {
      name: 'Time to decision',
      value: spanTime(desk.average_seconds),
      more: `${wholeNumber(desk.within_hour)} of ${wholeNumber(desk.resolved)} in under an hour`,
    },
  ];
}

/** The key numbers, each with the list behind it and its previous value. */
export function Tiles({ overview }: { readonly overview: Overview }) {
  const { previous, interval } = overview;
  return (
    <dl class="tiles">
      {tilesOf(overview).map(({ name, value, more, href, of }) => (
        <div class="panel" key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{href ? <a href={href}>{value}</a> : value}</b>
            <span class="muted">{more}</span>
            {of && previous && <span class="trend">{trendText(of(overview), of(previous), interval)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Workload({ overview }: { readonly overview: Overview }) {
  const { analysts } = overview.desk;
  if (analysts.length === 0) return <p class="muted">No case of this period was resolved.</p>;
  const link = (analyst: string | null, count: number, status: QueueFilter['status']) =>
    analyst === null ? (
      wholeNumber(count)
    ) : (
      <a href={casesOf(overview, { status, by: analyst })}>{wholeNumber(count)}</a>
    );
  return (
    <Table
      class="figures"
      columns={['Analyst', 'Resolved', 'Rejected', 'Average time']}
      rows={analysts.map(({ analyst, resolved, rejected, average_seconds }) => [
        String(analyst),
        analyst ?? 'Nobody named',
        link(analyst, resolved, 'all'),
        link(analyst, rejected, 'rejected'),
        spanTime(average_seconds),
      ])}
    />
  );
}

const TOP = 10;

/** The share of fraud among reviewed screenings; undefined when none was reviewed. */
const verdictOf = (fraud: number, legitimate: number): string | undefined =>
  fraud + legitimate === 0
    ? undefined
    : `${percent(fraud / (fraud + legitimate))} fraud out of ${wholeNumber(fraud + legitimate)} reviewed`;

export function TopSignals({ overview: { signals } }: { readonly overview: Overview }) {
  // The model's own share is in nearly every score: it says nothing about what happened.
  const fired = signals.filter(({ signal }) => signal !== 'model_risk');
  const most = Math.max(1, ...fired.map(({ count }) => count));
  const bars = fired.slice(0, TOP).map(({ signal, count, confirmed_fraud, confirmed_legitimate }): Bar => {
    const reviewed = confirmed_fraud + confirmed_legitimate;
    return {
      label: nameOf(signal),
      share: count / most,
      value: wholeNumber(count),
      more: verdictOf(confirmed_fraud, confirmed_legitimate),
      ...(reviewed > 0 ? { inner: confirmed_fraud / Math.max(count, reviewed) } : {}),
    };
  });
  return (
    <Panel title="Top signals" aside={<span class="muted">screenings; confirmed fraud in red</span>}>
      {bars.length > 0 ? <Bars bars={bars} class="signals" /> : <p class="muted">No signals fired.</p>}
    </Panel>
  );
}

const OUTCOMES = [
  ['rejected', 'Rejected', 'fraud'],
  ['approved', 'Approved', 'legitimate'],
  ['open', 'Open', 'pending'],
  ['expired', 'Expired', 'no decision'],
] as const;

export function Outcomes({ overview }: { readonly overview: Overview }) {
  const { cases } = overview;
  const parts = stackValues(OUTCOMES.map(([name]) => (cases.opened === 0 ? 0 : cases[name] / cases.opened)));
  return (
    <Panel
      title="Review outcomes"
      aside={<a href={casesOf(overview, { status: 'all' })}>{plural(cases.opened, 'case')} opened</a>}
    >
      <svg class="split-bar" aria-hidden="true">
        {parts.map(({ from, to }, index) => {
          const name = OUTCOMES[index]?.[0];
          return <rect key={name} class={name} x={asPercent(from)} width={asPercent(to - from)} height="100%" />;
        })}
      </svg>
      <dl class="split-legend">
        {OUTCOMES.map(([name, label, meaning]) => (
          <div key={name}>
            <dt>
              <i class={`dot ${name}`} /> {label} <span class="muted">{meaning}</span>
            </dt>
            <dd>
              <a href={casesOf(overview, { status: name })}>
                <b>{wholeNumber(cases[name])}</b>
                <span class="hidden"> {label.toLowerCase()} cases</span>
              </a>{' '}
              <span class="muted">{cases.opened === 0 ? '' : percent(cases[name] / cases.opened)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** The share of fraud among reviewed cases, by score: shows where a threshold would pay off. */
export function Precision({ overview: { scores } }: { readonly overview: Overview }) {
  const bars = scores
    .filter(({ confirmed_fraud, confirmed_legitimate }) => confirmed_fraud + confirmed_legitimate > 0)
    .map(({ from, to, confirmed_fraud, confirmed_legitimate }): Bar => {
      const reviewed = confirmed_fraud + confirmed_legitimate;
      return {
        label: `${from}–${to}`,
        share: 1,
        inner: confirmed_fraud / reviewed,
        value: percent(confirmed_fraud / reviewed),
        more: `${wholeNumber(confirmed_fraud)} of ${wholeNumber(reviewed)} were fraud`,
      };
    });
  return (
    <Panel title="Review precision by score">
      {bars.length > 0 ? <Bars bars={bars} class="precision" /> : <p class="muted">No reviews yet.</p>}
    </Panel>
  );
}
