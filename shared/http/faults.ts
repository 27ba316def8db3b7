import type * as z from 'zod/mini';
import { type Fault, invalidRequest, MAX_ECHOED } from '../domain/errors';

type Issue = z.core.$ZodIssue;

const KIND: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'an array',
  int: 'an integer',
};

/** zod/mini says only "Invalid input". These are our messages; each says what to send instead. */
function wording(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = KIND[issue.expected] ?? issue.expected;
      return value === undefined ? `is required, and must be ${kind}` : `must be ${kind}`;
    }
    case 'too_small': {
      const least = Number(issue.minimum);
      if (issue.origin === 'string')
        return least === 1 ? 'must not be empty' : `must have at least ${least} characters`;
      if (issue.origin === 'array') return `must have at least ${least} ${least === 1 ? 'entry' : 'entries'}`;
      return issue.inclusive ? `must be at least ${least}` : `must be greater than ${least}`;
    }
    case 'too_big': {
      const most = Number(issue.maximum);
      if (issue.origin === 'string') return `must have at most ${most} characters`;
      if (issue.origin === 'array') return `must have at most ${most} entries`;
      return issue.inclusive ? `must be at most ${most}` : `must be less than ${most}`;
    }
    case 'invalid_value':
      return value === undefined
        ? `is required, and must be one of ${issue.values.join(', ')}`
        : `must be one of ${issue.values.join(', ')}`;
    case 'invalid_key':
      return `has a key that is not allowed: ${issue.issues.map((inner) => wording(inner, '')).join(', ')}`;
    default:
      return issue.message === 'Invalid input' ? 'is not valid' : issue.message;
  }
}

const pathText = (path: readonly PropertyKey[]): string => path.map(String).join('.');

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<PropertyKey, unknown> | undefined)?.[name], root);
}

/** A fault that a schema found in a value, in our wording. `rootName` stands for the value as a whole. */
export const schemaFault = (issue: Issue, value: unknown, rootName: string): Fault => ({
  field: issue.path.length > 0 ? pathText(issue.path) : rootName,
  message: wording(issue, valueAt(value, issue.path)),
});

/**
 * The faults of one request. The first are put into words, the others only counted: 64 KB can hold 32,000 faults, and
 * the words of each may repeat a path of many KB.
 */
export class FaultList {
  readonly #faults: Fault[] = [];
  #count = 0;

  add(fault: () => Fault): void {
    if (this.#count++ < MAX_ECHOED) this.#faults.push(fault());
  }

  get any(): boolean {
    return this.#count > 0;
  }

  names(field: string): boolean {
    return this.#faults.some((fault) => fault.field === field);
  }

  refuseIfAny(): void {
    if (this.#count > 0) throw invalidRequest(this.#faults, this.#count);
  }
}
