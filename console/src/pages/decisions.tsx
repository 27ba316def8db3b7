import { DecisionList } from '../parts/decision-table';
import { PageHeading } from '../parts/panel';
import { addressOf, type DecisionKind, type Route } from '../state/route';
import { fullTime } from '../text/time';

const KINDS: ReadonlyArray<readonly [DecisionKind, string]> = [
  ['block', 'Blocked'],
  ['challenge', 'Challenged'],
  ['review', 'In review'],
  ['missed_fraud', 'Missed fraud'],
];

const EXPLAINED: Readonly<Record<DecisionKind, string>> = {
  block: 'Blocked by the service, or by a person. What a person allowed afterwards is not here.',
  challenge: 'Asked for a second factor or 3-D Secure.',
  review: 'Held for a person who has not decided yet.',
  missed_fraud: 'Payments that were allowed, and that a bank, a processor or the customer reported as fraud.',
};

/** Decisions of a kind: what was blocked, challenged or held, and the fraud that was missed. */
export function DecisionsPage({ kind, from, to }: Extract<Route, { page: 'decisions' }>) {
  const query = {
    ...(kind === 'missed_fraud' ? { outcome: kind } : { decision: kind }),
    start_date: from || undefined,
    end_date: to || undefined,
  };
  return (
    <div class="page">
      <div class="page-head">
        <PageHeading>Decisions</PageHeading>
      </div>
      <div class="filters">
        <nav class="tabs" aria-label="Kind">
          {KINDS.map(([each, label]) => (
            <a
              key={each}
              href={addressOf({ page: 'decisions', kind: each, from, to })}
              {...(each === kind ? { 'aria-current': 'true' } : {})}
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
      {(from || to) && (
        <p class="banner">
          {from && <>From {fullTime(from)} </>}
          {to && <>until {fullTime(to)} </>}
          <a href={addressOf({ page: 'decisions', kind, from: '', to: '' })}>Show the last 90 days</a>
        </p>
      )}
      <div class="panel">
        <p class="muted explained">{EXPLAINED[kind]}</p>
        <DecisionList query={query} label="Decisions" none="No such decisions" />
      </div>
    </div>
  );
}
