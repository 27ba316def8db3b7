import * as z from 'zod/mini';
import { schemaFault } from '../../../shared/http/faults';
import { unknownMembers } from '../../../shared/http/parse-input';
import { text } from '../../../shared/schemas/text';

const schema = z.object({
  user_id: text(1, 5),
  amount: z.number().check(z.positive(), z.maximum(10)),
  kind: z.enum(['a', 'b']),
  tags: z.optional(z.array(z.string()).check(z.minLength(1))),
  billing_address: z.optional(z.object({ country: z.string() })),
  attributes: z.optional(z.record(text(1, 3), z.string())),
});

const faultsOf = (value: unknown): string[] => {
  const result = schema.safeParse(value);
  return result.success
    ? []
    : result.error.issues
        .map((issue) => schemaFault(issue, value, 'body'))
        .map(({ field, message }) => `${field} ${message}`);
};

describe('faults in our words', () => {
  it('reports all of them at once, each with its path', () => {
    expect(faultsOf({ user_id: '', amount: 0, kind: 'c', tags: [], billing_address: { country: 1 } })).toEqual([
      'user_id must not be empty',
      'amount must be greater than 0',
      'kind must be one of a, b',
      'tags must have at least 1 entry',
      'billing_address.country must be a string',
    ]);
  });

  it('tells a missing member from a wrong one', () => {
    expect(faultsOf({ user_id: 1, amount: 11 })).toEqual([
      'user_id must be a string',
      'amount must be at most 10',
      'kind is required, and must be one of a, b',
    ]);
  });

  it('speaks of the body where the body as a whole is wrong', () => {
    expect(faultsOf([])).toEqual(['body must be a JSON object']);
    expect(faultsOf(null)).toEqual(['body must be a JSON object']);
  });

  it('refuses half a surrogate pair, which has no UTF-8 form', () => {
    expect(faultsOf({ user_id: 'a\ud800', amount: 1, kind: 'a' })).toEqual(['user_id must be well-formed Unicode']);
  });

  it('names the record whose key is too long', () => {
    expect(faultsOf({ user_id: 'a', amount: 1, kind: 'a', attributes: { abcd: 'x' } })[0]).toContain('attributes');
  });
});

describe('unknown members', () => {
  it('are named at every level, with what was probably meant', () => {
    const body = { userId: 'u', amount: 1, kind: 'a', billing_address: { Country: 'DE', zip: '1' } };
    expect(unknownMembers(schema, body)).toEqual([
      'Unknown field userId was ignored; did you mean user_id?',
      'Unknown field billing_address.Country was ignored; did you mean billing_address.country?',
      'Unknown field billing_address.zip was ignored.',
    ]);
  });

  it('are not found in free maps, nor in inherited names', () => {
    expect(unknownMembers(schema, { attributes: { any: 'x' } })).toEqual([]);
    expect(unknownMembers(schema, { toString: 1 })).toEqual(['Unknown field toString was ignored.']);
  });
});
