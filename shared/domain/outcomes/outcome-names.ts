import type { Pseudonyms } from '../entities/pseudonyms';

/*
 * References and the IDs of disputes are stored by pseudonyms, like everything that may name somebody: an order ID can
 * be a customer's email, and a payment intent leads to one.
 */

/** The pseudonyms of references, each once. */
export const referenceNames = (
  pseudonyms: Pseudonyms,
  accountId: string,
  references: readonly string[],
): readonly string[] => [...new Set(references)].map((value) => pseudonyms.of(accountId, 'reference', value));

/** The pseudonym of what a source calls an outcome. */
export const sourceName = (pseudonyms: Pseudonyms, accountId: string, sourceId: string): string =>
  pseudonyms.of(accountId, 'source', sourceId);
