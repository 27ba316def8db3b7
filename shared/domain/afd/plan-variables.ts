import type { AfdMapping } from './afd-mapping';
import { type AfdTarget, ATTRIBUTES, usualTarget } from './afd-target';

/** The target of a variable, and why. */
export interface PlannedVariable {
  readonly name: string;
  readonly target: AfdTarget;
  readonly why: string;
}

/** Limit per event: a screening takes 50 attributes with keys of up to 64 characters. */
export const MAX_ATTRIBUTES = 50;
const MAX_KEY = 64;

/**
 * The target of each variable: by the mapping, else by its usual name, else an attribute of the same name. Of two that
 * want the same target, the first gets it; the other is kept as an attribute under its own name. Of more attributes than
 * a screening takes, the ones that the mapping names come first, then those with usual names, then the rest in order.
 */
export function planVariables(names: readonly string[], mapping: AfdMapping): PlannedVariable[] {
  const wanted = names.map((name) => wantedTarget(name, mapping));
  const taken = new Map<string, string>();
  const plan = wanted.map(({ name, target, why, rank }) => {
    const holder = target === 'ignore' ? undefined : taken.get(target);
    if (holder === undefined) {
      if (target !== 'ignore') taken.set(target, name);
      return { name, target, why, rank };
    }
    const own = attribute(name.toLowerCase());
    const isFree = own !== target && !taken.has(own);
    if (isFree) taken.set(own, name);
    return {
      name,
      target: isFree ? own : ('ignore' as const),
      why: `${target} is taken from ${holder}`,
      rank: 2,
    };
  });
  const attributes = plan.filter(({ target }) => target.startsWith(ATTRIBUTES));
  const kept = new Set([...attributes].sort((a, b) => a.rank - b.rank).slice(0, MAX_ATTRIBUTES));
  return plan.map((variable) => {
    const { name, target, why } = variable;
    if (!target.startsWith(ATTRIBUTES) || kept.has(variable)) return { name, target, why };
    return { name, target: 'ignore', why: `more than ${MAX_ATTRIBUTES} attributes; map others to ignore to keep it` };
  });
}

const attribute = (key: string): AfdTarget => `${ATTRIBUTES}${key}` as AfdTarget;

function wantedTarget(name: string, { columns }: AfdMapping): PlannedVariable & { readonly rank: number } {
  const lower = name.toLowerCase();
  const given = Object.hasOwn(columns, name)
    ? columns[name]
    : Object.hasOwn(columns, lower)
      ? columns[lower]
      : undefined;
  if (given !== undefined) return { name, target: given as AfdTarget, why: 'by the mapping', rank: 0 };
  const usual = usualTarget(lower);
  if (usual !== undefined) return { name, target: usual, why: 'by its name', rank: 1 };
  if (lower === '' || lower.length > MAX_KEY) {
    return { name, target: 'ignore', why: `its name does not have 1 to ${MAX_KEY} characters`, rank: 2 };
  }
  return { name, target: attribute(lower), why: 'no field of this name', rank: 2 };
}

const STAND_INS: readonly AfdTarget[] = [
  'user_id',
  'custom_attributes.email',
  'custom_attributes.phone',
  'custom_attributes.card_fingerprint',
  'device_fingerprint',
  'ip_address',
];

/** The variables that can stand in for a missing entity, the best first. */
export const entityStandIns = (plan: readonly PlannedVariable[]): readonly PlannedVariable[] =>
  STAND_INS.flatMap((target) => plan.filter((variable) => variable.target === target));
