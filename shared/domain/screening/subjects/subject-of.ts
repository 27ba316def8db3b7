import type { Subject } from './attempt-of';

type Body = Omit<Subject, 'subject_type' | 'action' | 'outcome'>;

/** What a payment's body asks to be screened. */
export const transactionSubject = (body: Body): Subject => ({
  ...body,
  subject_type: 'transaction',
  action: 'transaction',
  outcome: 'succeeded',
});

/** What an event's body asks to be screened. */
export function eventSubject({
  event_type: action,
  outcome = 'succeeded',
  ...body
}: Body & {
  readonly event_type: Exclude<Subject['action'], 'transaction'>;
  readonly outcome?: Subject['outcome'] | undefined;
}): Subject {
  return { ...body, subject_type: 'event', action, outcome };
}
