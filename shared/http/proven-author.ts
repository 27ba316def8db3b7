import type { Caller } from '../domain/accounts/account';
import type { Route } from '../routes/define-route';
import type { Input } from './parse-input';
import { knows } from './unknown-members';

/**
 * With a personal key, the author is the person whose key it is: `analyst_id` of a body is replaced, whatever it says,
 * so that nothing behind this point can record anybody else. A name that differs is worth a warning.
 */
export function provenAuthor(input: Input, { person }: Caller, { body: schema }: Pick<Route, 'body'>): Input {
  if (person === undefined || !schema || !knows(schema, 'analyst_id')) return input;
  const body = (input.body ?? {}) as { readonly analyst_id?: string };
  const isOther = body.analyst_id !== undefined && body.analyst_id !== person;
  const warning = `analyst_id was ignored: this key belongs to ${person}.`;
  return {
    ...input,
    body: { ...body, analyst_id: person },
    warnings: isOther ? [...input.warnings, warning] : input.warnings,
  };
}
