import { stackValues } from '../../../shared/charts/stack-values';
import { hasCode } from '../api/failure';
import type { RiskProfile } from '../api/types';
import { loadProfile, profileView } from '../state/case-view';
import { now } from '../state/clock';
import { fullTime, timeAgo } from '../text/time';
import { countryName, money, nameOf, plural, wholeNumber } from '../text/words';
import { Facts } from './case-facts';
import { Panel } from './panel';
import { RecentActivity } from './recent-activity';
import { Empty, Failed, Skeleton } from './states';

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
          // Of what was allowed or approved: a payment under review is not spent.
          ['Spent', amounts.join(', ') || 'nothing yet'],
          ['Devices', wholeNumber(devices.count)],
          [
            'IP addresses',
            `${wholeNumber(ip_addresses.count)}${ip_addresses.countries.length > 0 ? ` in ${ip_addresses.countries.map(countryName).join(', ')}` : ''}`,
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
        ]}
      />
    </>
  );
}

/** The user's history: everything the service knows about them, and their recent activity. */
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
