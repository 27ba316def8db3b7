import type { AccountSettings } from '../../accounts/account';
import { emailPattern } from '../../entities/email-pattern';
import type { EntityNames, EntityRef } from '../../entities/entity-ref';
import type { Subject } from './attempt-of';

/** What the pattern of an email address is called beside networks, which are kept in the same way. */
export const EMAIL_PATTERN = 'email_pattern';

/**
 * The pattern of a subject's email address, for what new accounts do: sign up and buy. None if the account does not keep
 * histories of email addresses.
 */
export function emailPatternOf(
  names: EntityNames,
  { action, custom_attributes: attributes = {} }: Pick<Subject, 'action' | 'custom_attributes'>,
  { tracked_attributes }: Pick<AccountSettings, 'tracked_attributes'>,
): EntityRef[] {
  if (action !== 'transaction' && action !== 'signup') return [];
  const email = Object.hasOwn(attributes, 'email') ? attributes.email : undefined;
  if (email === undefined || !tracked_attributes.includes('email')) return [];
  const pattern = emailPattern(email);
  return pattern === undefined ? [] : [names.exact('network', pattern, EMAIL_PATTERN)];
}
