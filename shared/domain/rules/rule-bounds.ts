import { FEATURE, SIGNAL } from './rule-facts';
import type { Tree } from './tree';

/** Names that a stored screening can still answer, apart from its features and signals. */
const STORED = new Set([
  'subject_type',
  'event_type',
  'amount',
  'currency',
  'user_id',
  'agent.operator',
  'agent.key_id',
  'agent.verified',
  'score',
]);

const isStored = (name: string): boolean => STORED.has(name) || name.startsWith(FEATURE) || name.startsWith(SIGNAL);

/** The names of an expression that stored screenings do not hold; a list by its own name. In order, each once. */
export function notTestable(tree: Tree): string[] {
  const names = new Set<string>();
  const walk = (each: Tree): void => {
    if (each.op === 'in_list') names.add(`lists.${each.list}`);
    else if ('name' in each && !isStored(each.name)) names.add(each.name);
    if ('of' in each) walk(each.of);
    if ('left' in each) {
      walk(each.left);
      walk(each.right);
    }
  };
  walk(tree);
  return [...names];
}

/** An expression between two that stored screenings can answer: true wherever `surely` is, and only where `possibly` is. */
export interface RuleBounds {
  readonly surely: Tree;
  readonly possibly: Tree;
}

/** Each condition that cannot be tested is taken as false, then as true; under a negation the other way round. */
export const ruleBounds = (tree: Tree): RuleBounds => ({ surely: bound(tree, false), possibly: bound(tree, true) });

function bound(tree: Tree, unknown: boolean): Tree {
  if (notTestable(tree).length === 0) return tree;
  if (tree.op === 'and' || tree.op === 'or') {
    return { ...tree, left: bound(tree.left, unknown), right: bound(tree.right, unknown) };
  }
  if (tree.op === 'not') return { ...tree, of: bound(tree.of, !unknown) };
  return { op: 'value', value: unknown };
}
