import type { Overview } from '../api/types';
import { addressOf, type DecisionKind, FIRST_FILTER, type QueueFilter } from '../state/route';
import { spanTime, trendText } from '../text/trend';
import { dollars, percent, plural, wholeNumber } from '../text/words';

type Totals = Omit<NonNullable<Overview['previous']>, 'warnings'>;

/** The decisions behind a number: of the same span, so that list and number are the same. */
export const decisionsOf = ({ start_date: from, end_date: to }: Overview, kind: DecisionKind): string =>
  addressOf({ page: 'decisions', kind, from, to });

/** The cases behind a number. */
export const casesOf = ({ start_date: from, end_date: to }: Overview, filter: Partial<QueueFilter>): string =>
  addressOf({ page: 'queue', filter: { ...FIRST_FILTER, from, to, ...filter } });

interface Tile {
  readonly name: string;
  readonly value: string;
  readonly more: string;
  readonly href?: string;
  /** What is compared with the span before. */
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

/** The numbers that matter, each with the list behind it and how it was before. */
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

/** Who resolved how many cases, and how fast. */
export function Workload({ overview }: { readonly overview: Overview }) {
  const { analysts } = overview.desk;
  if (analysts.length === 0) return <p class="muted">No case of this period was resolved.</p>;
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Analyst</th>
          <th scope="col">Resolved</th>
          <th scope="col">Rejected</th>
          <th scope="col">Average time</th>
        </tr>
      </thead>
      <tbody>
        {analysts.map(({ analyst, resolved, rejected, average_seconds }) => {
          const link = (count: number, status: QueueFilter['status']) =>
            analyst === null ? (
              wholeNumber(count)
            ) : (
              <a href={casesOf(overview, { status, by: analyst })}>{wholeNumber(count)}</a>
            );
          return (
            <tr key={analyst}>
              <th scope="row">{analyst ?? 'Nobody named'}</th>
              <td>{link(resolved, 'all')}</td>
              <td>{link(rejected, 'rejected')}</td>
              <td>{spanTime(average_seconds)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
