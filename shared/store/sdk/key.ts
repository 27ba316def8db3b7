/** The index of work that is due: sparse, by shard and time. */
export const DUE_INDEX = 'due';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}
