import type { AccessRequest } from '../iam/evaluate';
import { partitionsOf } from './call-record';

/** A call that a function made without the grant for it. */
export interface Denial {
  readonly function: string;
  readonly action: string;
  readonly resource: string;
  /** The kinds of items, for calls to a table. */
  readonly partitions: readonly string[];
  /** What would have allowed it, as a statement of its policy. */
  readonly missing: string;
  readonly time: string;
}

export interface Denials {
  list(): readonly Denial[];
  record(functionName: string, access: AccessRequest): Denial;
}

const REMEMBERED = 1_000;

/** The missing statement, in the terms of the table's constructs if it is about items. */
function missingGrant({ action, resource }: AccessRequest, partitions: readonly string[]): string {
  const [service, operation] = action.split(':');
  return service === 'dynamodb' && partitions.length > 0
    ? `{ actions: ['${operation}'], partitions: [${partitions.map((name) => `'${name}'`).join(', ')}] }`
    : `{ actions: ['${action}'], resources: ['${resource}'] }`;
}

/** One sentence with everything needed to add the grant. */
export const sentenceOf = ({ function: name, action, resource, partitions, missing }: Denial): string => {
  const of = partitions.length > 0 ? ` of ${partitions.join(', ')}` : '';
  return `${name} is not authorized to perform ${action} on ${resource}${of}. Missing grant: ${missing}`;
};

/** Remembers refused calls and shows each on the terminal, where a missing grant is meant to be noticed. */
export function denialList(print: (line: string) => void): Denials {
  const denials: Denial[] = [];
  return {
    list: () => [...denials],
    record: (name, access) => {
      const partitions = partitionsOf(access);
      const { action, resource } = access;
      const missing = missingGrant(access, partitions);
      const denial = { function: name, action, resource, partitions, missing, time: new Date().toISOString() };
      denials.push(denial);
      if (denials.length > REMEMBERED) denials.shift();
      print(`ACCESS DENIED  ${sentenceOf(denial)}`);
      return denial;
    },
  };
}
