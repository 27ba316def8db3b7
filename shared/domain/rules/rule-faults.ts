import type { Declarations } from '../declarations/declaration';
import type { Fault } from '../errors';
import { checkCondition, type Names } from './language/check';
import { ExpressionError } from './language/expression-error';
import { MAX_CHARACTERS } from './language/parse';
import { listTypesOf } from './rule-facts';
import { requestNames, ruleNames } from './rule-names';
import type { Tree } from './tree';

/** A list that expressions can refer to. */
export interface KnownList {
  readonly name: string;
  readonly type: string;
}

/** The fault of an expression; undefined if it can be a rule. */
export function expressionFault(
  expression: string,
  lists?: readonly KnownList[],
  declared?: Declarations,
): Fault | undefined {
  const tree = checkedTree(expression, lists, declared);
  return typeof tree === 'string' ? { field: 'expression', message: tree } : undefined;
}

/** The checked tree of an expression, or its fault. */
export function checkedTree(expression: string, lists?: readonly KnownList[], declared?: Declarations): Tree | string {
  const tree = treeBy(expression, ruleNames({ lists: lists?.map(({ name }) => name), declared }));
  return typeof tree === 'string' ? tree : (unfitList(tree, lists ?? []) ?? tree);
}

/** The checked tree of an expression over the request alone, as counters use it. */
export const checkedRequestTree = (expression: string, declared: Declarations): Tree | string =>
  treeBy(expression, requestNames(declared));

function treeBy(expression: string, names: Names): Tree | string {
  // A schema says this better, and the same for every field.
  if (expression.trim() === '') return 'must not be empty';
  if (expression.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  try {
    return checkCondition(expression, names).tree;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

/** The first lookup in a list of another type: it could never be true. */
function unfitList(tree: Tree, lists: readonly KnownList[]): string | undefined {
  if (tree.op === 'in_list') {
    const list = lists.find(({ name }) => name === tree.list);
    if (list === undefined || listTypesOf(tree.name).includes(list.type)) return undefined;
    return `lists.${list.name} holds values of the type ${list.type}, so ${tree.name} can never be in it`;
  }
  if ('left' in tree) return unfitList(tree.left, lists) ?? unfitList(tree.right, lists);
  return 'of' in tree ? unfitList(tree.of, lists) : undefined;
}

/** Faults that concern more than one member of a rule. */
export function ruleFaults({ action, points }: { readonly action?: unknown; readonly points?: unknown }): Fault[] {
  const hasPoints = points !== undefined && points !== null;
  if (action === 'points' && !hasPoints) return [{ field: 'points', message: 'is required for the action points' }];
  if (action !== 'points' && action !== undefined && hasPoints) {
    return [{ field: 'points', message: 'is only for the action points' }];
  }
  return [];
}
