import { isBuiltInType } from '../declarations/declaration';
import { currentDecision, type ScreeningRecord } from './subjects/screening-record';

const ATTEMPTS: Readonly<Record<string, string>> = {
  login: 'sign-in',
  signup: 'registration',
  password_reset: 'password reset',
};
const nameOf = (type: string): string => ATTEMPTS[type] ?? (isBuiltInType(type) ? 'change to your account' : 'request');

/** Signals about the payment itself; all others are about its circumstances. */
const ABOUT_PAYMENT: ReadonlySet<string> = new Set(['amount_anomaly', 'extreme_amount', 'first_use_high_amount']);

type Explained = Pick<
  ScreeningRecord,
  'subject_type' | 'event_type' | 'automated_decision' | 'review' | 'contributions'
>;

/**
 * The main reason, as coarsely as it is still true: naming a device, an address or a speed would tell a fraudster what
 * to change. Rules and lists are the account's own business and are never mentioned.
 */
function weighedMost({ contributions, subject_type }: Explained): string {
  const sum = (isIt: boolean): number =>
    contributions
      .filter(({ points, signal }) => points > 0 && ABOUT_PAYMENT.has(signal) === isIt)
      .reduce((total, { points }) => total + points, 0);
  if (subject_type !== 'transaction') return 'recent activity';
  return sum(true) > sum(false) ? 'the details of the payment' : 'recent activity';
}

/**
 * The decision in words that may be shown to the person concerned: what was decided, whether a person or a machine did,
 * what was looked at, and what they can do. It says nothing that would help somebody to get around the screening.
 */
export function customerExplanation(record: Explained): string {
  const attempt = record.event_type === undefined ? 'payment' : nameOf(record.event_type);
  const compares = `compares every ${attempt} with earlier activity; what mattered most here was ${weighedMost(record)}.`;
  const again = 'If you think this is wrong, contact us: a person will look at it.';
  const decision = currentDecision(record);
  if (record.review) {
    return decision === 'block'
      ? `A member of our team looked at this ${attempt} and declined it. ${again}`
      : `A member of our team looked at this ${attempt} and approved it.`;
  }
  switch (decision) {
    case 'allow':
      return `This ${attempt} was approved by an automated check.`;
    case 'challenge':
      return `We asked for an additional confirmation of this ${attempt}. An automated check ${compares}`;
    case 'review':
      return `A member of our team is checking this ${attempt} before it goes ahead. An automated check ${compares}`;
    case 'block':
      return `This ${attempt} was declined by an automated check. It ${compares} ${again}`;
    default:
      return decision satisfies never;
  }
}
