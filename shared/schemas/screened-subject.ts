import * as z from 'zod/mini';
import type { EventTypeDeclaration } from '../domain/declarations/declaration';
import { EVENT_ACTIONS } from '../domain/entities/entity-history';
import { wasEverCurrency } from '../domain/screening/currency-rates';
import { eventSubject, type Subject, transactionSubject } from '../domain/screening/subjects/attempt-of';
import { screenEventRequest, screenTransactionRequest } from './screening';

const transaction = screenTransactionRequest();
const event = screenEventRequest();
const builtInEvent = z.extend(event, { event_type: z.enum(EVENT_ACTIONS) });

export type SubjectResult =
  | { readonly subject: Subject; readonly issues?: undefined }
  | { readonly subject?: undefined; readonly issues: readonly z.core.$ZodIssue[] };

const CODE = /^[A-Z]{3}$/;

/**
 * The subject of a body that the API itself did not receive, of a built-in type unless it is given: a line of a history, an event of another service's client.
 * A code that never was a currency is kept: it costs the comparison in dollars, not the whole attempt.
 */
export function screenedSubject(
  kind: string,
  body: Readonly<Record<string, unknown>>,
  type?: EventTypeDeclaration,
): SubjectResult {
  if (kind !== 'transaction') {
    const schema = type === undefined ? builtInEvent : event;
    const { data, error } = schema.safeParse({ event_type: kind, ...body });
    return error ? { issues: error.issues } : { subject: eventSubject(data, type) };
  }
  const { currency } = body;
  const isUnknown = typeof currency === 'string' && CODE.test(currency) && !wasEverCurrency(currency);
  const { data, error } = transaction.safeParse(isUnknown ? { ...body, currency: 'USD' } : body);
  if (error) return { issues: error.issues };
  const subject = transactionSubject(data);
  return { subject: isUnknown ? { ...subject, currency } : subject };
}
