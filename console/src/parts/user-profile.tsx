import { linearScale } from '../../../shared/charts/axes';
import { stackValues } from '../../../shared/charts/svg-path';
import { hasCode } from '../api/client';
import type { RiskProfile } from '../api/types';
import { loadProfile, profileView } from '../state/case-view';
import { now } from '../state/page';
import { countryName, fullTime, money, NETWORKS, nameOf, plural, timeAgo, wholeNumber } from '../text/words';
import { Facts } from './evidence';
import { Empty, Failed, Panel, Skeleton, Table } from './panel';

/** Whom the licences of the tables ask to name where their countries are shown; from the build. */
declare const ATTRIBUTIONS: string;

type Activity = RiskProfile['recent_activity'];

const SPANS: ReadonlyArray<readonly [keyof Activity['transactions'], string]> = [
  ['last_10m', '10 minutes'],
  ['last_1h', 'hour'],
  ['last_24h', '24 hours'],
  ['last_7d', '7 days'],
  ['last_30d', '30 days'],
];

const BUCKET_HOURS = 3;

function TimeOfDay({ counts }: { readonly counts: readonly number[] }) {
  if (counts.every((count) => count === 0)) return null;
  const heightOf = linearScale([0, Math.max(1, ...counts)], [3, 28]);
  const bucket = (index: number): string =>
    `${String(index * BUCKET_HOURS).padStart(2, '0')}:00–${String((index + 1) * BUCKET_HOURS).padStart(2, '0')}:00`;
  const busiest = counts.indexOf(Math.max(...counts));
  return (
    <div class="time-of-day">
      <svg viewBox={`0 0 ${counts.length * 10} 28`} preserveAspectRatio="none" aria-hidden="true">
        {counts.map((count, index) => {
          const height = count === 0 ? 1 : heightOf(count);
          return (
            <rect key={bucket(index)} x={index * 10 + 0.5} width="9" y={28 - height} height={height}>
              <title>
                {bucket(index)} UTC: {count}
              </title>
            </rect>
          );
        })}
      </svg>
      <span class="muted">Most active {bucket(busiest)} UTC</span>
    </div>
  );
}

export function RecentActivity({ activity }: { readonly activity: Activity }) {
  const { transactions, failed_logins, declines, last_changes, last_place, by_time_of_day } = activity;
  const happened: readonly string[] = [
    ...(declines.last_24h > 0
      ? [`${plural(declines.last_24h, 'declined payment')} in 24 hours, ${plural(declines.cards_last_24h, 'card')}`]
      : []),
    ...(failed_logins.last_24h > 0
      ? [
          `${plural(failed_logins.last_24h, 'failed login')} in 24 hours, ${wholeNumber(failed_logins.last_10m)} in 10 minutes`,
        ]
      : []),
    ...last_changes.map(({ event_type, at }) => `${nameOf(event_type)} ${timeAgo(at, now.value)}`),
    ...(last_place
      ? [
          `Last seen in ${countryName(last_place.country)} (${NETWORKS[last_place.network] ?? last_place.network}), ${timeAgo(last_place.at, now.value)}`,
        ]
      : []),
  ];
  return (
    <>
      <Table
        class="figures"
        columns={['Last', 'Payments', 'Spent, approx.']}
        rows={SPANS.map(([span, label]) => [
          span,
          label,
          wholeNumber(transactions[span].count),
          transactions[span].count === 0
            ? '–'
            : money(Math.round(transactions[span].amount_usd), 'USD').replace(/\.00$/, ''),
        ])}
      />
      {happened.length > 0 && (
        <ul class="happened">
          {happened.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <TimeOfDay counts={by_time_of_day} />
    </>
  );
}

const DECISIONS = ['allow', 'review', 'block'] as const;

function Decisions({ transactions }: Pick<RiskProfile, 'transactions'>) {
  const { count, allowed, reviewed, blocked } = transactions;
  const parts = stackValues([allowed, reviewed, blocked].map((value) => (count === 0 ? 0 : (value / count) * 1000)));
  return (
    <div class="split">
      <svg viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ from, to }, index) => (
          <rect key={DECISIONS[index]} class={DECISIONS[index]} x={from} width={to - from} height="8" />
        ))}
      </svg>
      <span>
        {plural(count, 'transaction')}: {wholeNumber(allowed)} allowed, {wholeNumber(reviewed)} held for review,{' '}
        {wholeNumber(blocked)} blocked
      </span>
    </div>
  );
}

function Profile({ profile }: { readonly profile: RiskProfile }) {
  const { transactions, devices, ip_addresses, outcomes, events } = profile;
  const amounts = Object.entries(transactions.amount_by_currency).map(([currency, sum]) => money(sum, currency));
  return (
    <>
      <Decisions transactions={transactions} />
      <Facts
        facts={[
          ['User’s risk', `${profile.risk_score} (${profile.risk_level}) for an ordinary action now`],
          [
            'First seen',
            <span title={fullTime(profile.first_seen_at)}>{timeAgo(profile.first_seen_at, now.value)}</span>,
          ],
          ['Last seen', <span title={fullTime(profile.last_seen_at)}>{timeAgo(profile.last_seen_at, now.value)}</span>],
          // Only allowed or approved amounts: a payment under review is not spent.
          ['Spent', amounts.join(', ') || 'nothing yet'],
          ['Devices', wholeNumber(devices.count)],
          // Known is where an allowed attempt came from: that of a held first payment is not yet.
          [
            'Known IP addresses',
            `${ip_addresses.count === 0 ? 'none yet' : wholeNumber(ip_addresses.count)}${ip_addresses.countries.length > 0 ? ` in ${ip_addresses.countries.map(countryName).join(', ')}` : ''}`,
          ],
          [
            'Past reviews',
            outcomes.confirmed_fraud + outcomes.confirmed_legitimate === 0
              ? 'none'
              : `${plural(outcomes.confirmed_fraud, 'fraud')}, ${wholeNumber(outcomes.confirmed_legitimate)} legitimate`,
          ],
          [
            'Events',
            Object.entries(events.by_type)
              .map(([type, count]) => `${nameOf(type)} ${wholeNumber(count)}`)
              .join(', ') || 'none',
          ],
          ['Countries by', ATTRIBUTIONS],
        ]}
      />
    </>
  );
}

export function UserProfile() {
  const { data, failure } = profileView.value;
  return (
    <>
      <Panel title="User" class="user-panel">
        {data && <Profile profile={data} />}
        {!data && !failure && <Skeleton lines={6} label="Loading the profile" />}
        {!data && failure && !hasCode(failure, 'not_found') && (
          <Failed failure={failure} retry={() => void loadProfile()} />
        )}
        {!data && failure && hasCode(failure, 'not_found') && <Empty title="No profile for this user" />}
      </Panel>
      {data && (
        <Panel title="Recent activity">
          <RecentActivity activity={data.recent_activity} />
        </Panel>
      )}
    </>
  );
}
