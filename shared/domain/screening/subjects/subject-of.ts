import type { Subject } from './attempt-of';

type Body = Omit<Subject, 'subject_type' | 'action' | 'outcome'>;

/** The subject to screen from the body of a payment. */
export const transactionSubject = (body: Body): Subject => ({
  ...body,
  subject_type: 'transaction',
  action: 'transaction',
  outcome: 'succeeded',
});

/** The subject to screen from the body of an event. */
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
