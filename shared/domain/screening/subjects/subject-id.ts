/** A transaction, its decision and its case are three views of one thing: their ids share one ULID. */
export type SubjectType = 'transaction' | 'event';

const PREFIX = { transaction: 'txn', event: 'evt' } as const satisfies Record<SubjectType, string>;
const SHAPE = /^(txn|evt|dec|case)_([0-9A-HJKMNP-TV-Z]{26})$/;

export const subjectId = (type: SubjectType, ulid: string): string => `${PREFIX[type]}_${ulid}`;
export const decisionId = (ulid: string): string => `dec_${ulid}`;
export const caseId = (ulid: string): string => `case_${ulid}`;

/** The ULID in an id with one of these prefixes; undefined when it cannot be such an id. */
export function ulidOf(id: string, ...prefixes: ReadonlyArray<'txn' | 'evt' | 'dec' | 'case'>): string | undefined {
  const [, prefix, ulid] = SHAPE.exec(id) ?? [];
  return prefixes.some((known) => known === prefix) ? ulid : undefined;
}
