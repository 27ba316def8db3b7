import type { RequestContext } from './condition';
import type { AccessRequest } from './evaluate';

const union = (contexts: readonly RequestContext[]): RequestContext => {
  const merged = new Map<string, Set<string>>();
  for (const context of contexts) {
    for (const [key, values] of Object.entries(context)) {
      merged.set(key, new Set([...(merged.get(key) ?? []), ...values]));
    }
  }
  return Object.fromEntries([...merged].map(([key, values]) => [key, [...values]]));
};

/**
 * A call on several items can be authorized in two ways: item by item, or once per action with the keys of all its
 * items. AWS does not document which it does, so a policy must hold under both: this adds the second to the first.
 */
export function asAWhole(items: readonly AccessRequest[]): readonly AccessRequest[] {
  const alike = new Map<string, AccessRequest[]>();
  for (const item of items) {
    const key = `${item.action} ${item.resource}`;
    alike.set(key, [...(alike.get(key) ?? []), item]);
  }
  const wholes = [...alike.values()].flatMap((group): AccessRequest[] => {
    const [first] = group;
    if (!first || group.length < 2) return [];
    return [{ ...first, context: () => union(group.map((item) => item.context?.() ?? {})) }];
  });
  return [...items, ...wholes];
}
