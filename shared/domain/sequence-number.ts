/** Whether a record of a stream comes after another of its shard: sequence numbers are decimal and differ in length. */
export const isAfter = (sequence: string, mark: string | undefined): boolean =>
  mark === undefined || BigInt(sequence) > BigInt(mark);
