import type { AccessRequest } from '../iam/evaluate';

/** A permission that a function used: the proof that its grant is needed. */
export interface SeenCall {
  readonly function: string;
  readonly action: string;
  readonly resource: string;
  /** The kinds of partitions, for calls of a table: `SUBJECT` of `SUBJECT#acc_…`. */
  readonly partition?: string;
}

/** Every permission that was used at least once. */
export interface CallRecord {
  list(): readonly SeenCall[];
  /** Records a permission that was requested and granted. */
  note(functionName: string, access: AccessRequest): void;
}

/** The part of a key that a policy can name; what follows belongs to one account or person. */
export const partitionOf = (key: string): string => key.split('#', 1)[0] ?? key;

/** The partitions that a permission is about; empty unless it is about items of a table. */
export const partitionsOf = ({ action, context }: AccessRequest): readonly string[] =>
  action.startsWith('dynamodb:')
    ? [...new Set((context?.()['dynamodb:leadingkeys'] ?? []).map(partitionOf))].sort()
    : [];

export function callRecord(): CallRecord {
  const seen = new Map<string, SeenCall>();
  const add = (call: SeenCall): void => {
    const key = [call.function, call.action, call.resource, call.partition].join(' ');
    if (!seen.has(key)) seen.set(key, call);
  };
  return {
    list: () => [...seen.values()],
    note: (name, access) => {
      const { action, resource } = access;
      const call = { function: name, action, resource };
      const partitions = partitionsOf(access);
      if (partitions.length === 0) add(call);
      else for (const partition of partitions) add({ ...call, partition });
    },
  };
}
