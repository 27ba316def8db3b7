import type { Caller } from '../../domain/accounts/account';
import { invalidRequest, unavailable } from '../../domain/errors';
import type { RuleBook, RuleVersion } from '../../domain/rules/rule-book';

/** Writes that belong to a change of the book and commit with it. */
export interface WithBook {
  readonly version?: RuleVersion | undefined;
  readonly tracked?: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined;
}

/** Where the rules and declarations of accounts are kept. */
export interface RuleBooks {
  book(accountId: string): Promise<RuleBook>;
  /** Replaces the book, with what belongs to the change; false if the book has changed meanwhile. */
  save(accountId: string, after: RuleBook, alongside: WithBook): Promise<boolean>;
}

/** The result of changing a book. */
export interface ChangedBook<Result> extends WithBook {
  readonly result: Result;
  /** The members that change. @default nothing changes */
  readonly after?: Partial<Omit<RuleBook, 'revision'>> | undefined;
}

/** Two people who change different things at once both succeed: the loser starts again from the winner's book. */
const MAX_TRIES = 8;

/** All names of one account are written at once; DynamoDB's items end at 400 kB. */
const MAX_BOOK_BYTES = 350_000;

/** Changes the book of an account. */
export async function changeBook<Result>(
  { rules }: { readonly rules: RuleBooks },
  { account_id }: Pick<Caller, 'account_id'>,
  field: string,
  decide: (book: RuleBook) => ChangedBook<Result> | Promise<ChangedBook<Result>>,
): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const book = await rules.book(account_id);
    const { result, after, version, tracked } = await decide(book);
    if (after === undefined) return result;
    const next = { ...book, ...after, revision: book.revision + 1 };
    if (Buffer.byteLength(JSON.stringify([next.rules, next.declarations])) > MAX_BOOK_BYTES) {
      const message = `all rules and declarations of the account together are too large (${MAX_BOOK_BYTES} bytes); shorten or delete some`;
      throw invalidRequest([{ field, message }]);
    }
    if (await rules.save(account_id, next, { version, tracked })) return result;
  }
  throw unavailable(new Error('Many changes of the rules at once'));
}
