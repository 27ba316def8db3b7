import { linearScale } from '../../../shared/charts/linear-scale';
import type { RiskProfile } from '../api/types';
import { now } from '../state/clock';
import { timeAgo } from '../text/time';
import { countryName, money, nameOf, plural, wholeNumber } from '../text/words';

type Activity = RiskProfile['recent_activity'];

const SPANS: ReadonlyArray<readonly [keyof Activity['transactions'], string]> = [
  ['last_10m', '10 minutes'],
  ['last_1h', 'hour'],
  ['last_24h', '24 hours'],
  ['last_7d', '7 days'],
  ['last_30d', '30 days'],
];

const BUCKET_HOURS = 3;

/** When the user is usually active, in eight three-hour buckets. */
function TimeOfDay({ counts }: { readonly counts: readonly number[] }) {
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

/** Recent activity, from the counts the service keeps. */
export function RecentActivity({ activity }: { readonly activity: Activity }) {
  const { transactions, failed_logins, last_changes, last_place, by_time_of_day } = activity;
  const happened: readonly string[] = [
    ...(failed_logins.last_24h > 0
      ? [
          `${plural(failed_logins.last_24h, 'failed login')} in 24 hours, ${wholeNumber(failed_logins.last_10m)} in 10 minutes`,
        ]
      : []),
    ...last_changes.map(({ event_type, at }) => `${nameOf(event_type)} ${timeAgo(at, now.value)}`),
    ...(last_place
      ? [
          `Last seen in ${countryName(last_place.country)} (${last_place.network}), ${timeAgo(last_place.at, now.value)}`,
        ]
      : []),
  ];
  return (
    <>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Last</th>
            <th scope="col">Payments</th>
            <th scope="col">Approx. total</th>
          </tr>
        </thead>
        <tbody>
          {SPANS.map(([span, label]) => (
            <tr key={span}>
              <th scope="row">{label}</th>
              <td>{wholeNumber(transactions[span].count)}</td>
              <td>
                {transactions[span].count === 0
                  ? '–'
                  : money(Math.round(transactions[span].amount_usd), 'USD').replace(/\.00$/, '')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
