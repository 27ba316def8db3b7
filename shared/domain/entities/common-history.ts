import { commonDeclines } from './declines';
import { type EntityHistory, LABEL_WINDOWS, type LabelWindow, WINDOW_MS, type Window } from './entity-history';

/*
 * An attempt of a user on a device is counted by both, and so are its label and its decision. What only one of them has
 * was therefore done elsewhere: on the user's side by somebody with another device, on the device's side by somebody
 * with another name.
 */

const WINDOWS = Object.keys(WINDOW_MS) as readonly Window[];
const LOGIN_WINDOWS = ['10m', '1h', '24h'] as const;

/** Whether one was never busier than the other: then the other adds nothing. Usually true, and quick to check. */
function isWithin(one: EntityHistory, other: EntityHistory): boolean {
  for (const window of WINDOWS) {
    const own = one.transactions.windows[window];
    const theirs = other.transactions.windows[window];
    if (own.count > theirs.count || own.amount_usd > theirs.amount_usd) return false;
  }
  if ((one.declines?.['24h'] ?? 0) > (other.declines?.['24h'] ?? 0)) return false;
  for (const window of LOGIN_WINDOWS) if (one.failed_logins[window] > other.failed_logins[window]) return false;
  return true;
}

/** The most that 24 hours may hold: anyone who pays at the end of a bucket would otherwise be forgotten hours early. */
export const mostSpent = ({ transactions: { windows, most_24h_usd = 0 } }: EntityHistory): number =>
  Math.max(windows['24h'].amount_usd, most_24h_usd);

/** The attempts that both have: the lower of two counts, in every window. */
export function commonAttempts(one: EntityHistory, other: EntityHistory | undefined): EntityHistory {
  if (other === undefined || isWithin(one, other)) return one;
  const [mine, theirs] = [one.transactions.windows, other.transactions.windows];
  const lower = (window: Window) => ({
    count: Math.min(mine[window].count, theirs[window].count),
    amount_usd: Math.min(mine[window].amount_usd, theirs[window].amount_usd),
  });
  const fewer = (window: (typeof LOGIN_WINDOWS)[number]) =>
    Math.min(one.failed_logins[window], other.failed_logins[window]);
  return {
    ...one,
    transactions: {
      ...one.transactions,
      most_24h_usd: Math.min(mostSpent(one), mostSpent(other)),
      windows: { '10m': lower('10m'), '1h': lower('1h'), '24h': lower('24h'), '7d': lower('7d'), '30d': lower('30d') },
    },
    failed_logins: { '10m': fewer('10m'), '1h': fewer('1h'), '24h': fewer('24h') },
    declines: commonDeclines(one.declines, other.declines),
  };
}

/**
 * The fraud that both have. A fraud that only one of them has is left out altogether, as if nobody had labelled it;
 * legitimate labels stay: they were given for attempts that somebody looked at.
 */
export function commonFraud(one: EntityHistory, other: EntityHistory | undefined): EntityHistory {
  if (other === undefined || one.labels.fraud === 0 || one.labels.fraud <= other.labels.fraud) return one;
  const fewer = (window: LabelWindow) => {
    const { fraud, labelled } = one.recent_labels[window];
    const shared = Math.min(fraud, other.recent_labels[window].fraud);
    return { fraud: shared, labelled: labelled - fraud + shared };
  };
  const recent_labels = { '1d': fewer('1d'), '7d': fewer('7d'), '30d': fewer('30d') };
  const isAnyLeft = LABEL_WINDOWS.some((window) => recent_labels[window].fraud > 0);
  return {
    ...one,
    labels: { ...one.labels, fraud: other.labels.fraud },
    recent_labels,
    fraud_since_ms: isAnyLeft ? one.fraud_since_ms : undefined,
    last_label: one.last_label === 'fraud' && !isAnyLeft ? legitimateIf(one) : one.last_label,
    decisions: {
      review: Math.min(one.decisions.review, other.decisions.review),
      block: Math.min(one.decisions.block, other.decisions.block),
    },
  };
}

const legitimateIf = ({ labels }: EntityHistory): EntityHistory['last_label'] =>
  labels.legitimate > 0 ? 'legitimate' : undefined;
