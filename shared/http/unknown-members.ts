import type * as z from 'zod/mini';
import { echoed } from '../domain/echo-limit';

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
}

const WRAPPERS = new Set(['optional', 'nullable', 'default', 'prefault', 'readonly']);

const definition = (schema: z.ZodMiniType): Definition => schema._zod.def as unknown as Definition;

const MOST_CHARACTERS = 64;

/** None of our names is longer, so a longer one need not be echoed in full. */
const shown = (name: string): string => (name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}…` : name);

/** Ignores case and separators: `ipAddress`, `IP-Address` and `ip_address` are one name to a person. */
const folded = (name: string): string =>
  name
    .slice(0, MOST_CHARACTERS)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Whether an object schema has a member of this name. */
export const knows = (schema: z.ZodMiniType, name: string): boolean =>
  Object.hasOwn(definition(schema).shape ?? {}, name);

/**
 * Sorted, regardless of the order of members, so that a repeated request gets the same bytes; and no more of them than
 * a person reads.
 */
export function sortedWarnings(warnings: readonly string[]): string[] {
  const sorted = [...warnings].sort();
  const listed = echoed(sorted);
  const more = sorted.length - listed.length;
  return more > 0 ? [...listed, `${more} more unknown fields were ignored.`] : sorted;
}

/**
 * One sentence for each member that no schema knows. Such members are ignored and never stored, but not
 * silently: a misspelt `ipAddress` would quietly cost accuracy.
 */
export function unknownMembers(schema: z.ZodMiniType, value: unknown, path = ''): string[] {
  const def = definition(schema);
  if (WRAPPERS.has(def.type) && def.innerType) return unknownMembers(def.innerType, value, path);
  if (def.type === 'array' && def.element && Array.isArray(value)) {
    const element = def.element;
    return value.flatMap((entry, index) => unknownMembers(element, entry, `${path}${index}.`));
  }
  if (def.type !== 'object' || !def.shape || value === null || typeof value !== 'object') return [];
  const shape = def.shape;
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known) return unknownMembers(known, member, `${path}${name}.`);
    const sought = folded(name);
    const meant = Object.keys(shape).find((candidate) => folded(candidate) === sought);
    const suggestion = meant ? `; did you mean ${path}${meant}?` : '.';
    return [`Unknown field ${path}${shown(name)} was ignored${suggestion}`];
  });
}
