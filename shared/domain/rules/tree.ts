/**
 * A checked expression, as it is stored: names and types are right, so that compiling it cannot fail. Numbers that are
 * whole stay whole, as CEL has it: `7 / 2` is a `quotient`, 3; and a `whole` result that is too large for one is missing.
 */
export type Tree =
  | { readonly op: 'value'; readonly value: string | number | boolean }
  | { readonly op: 'name'; readonly name: string }
  | { readonly op: 'has'; readonly name: string }
  | { readonly op: 'not' | 'negate' | 'whole' | 'size' | 'lower'; readonly of: Tree }
  | { readonly op: BinaryOp; readonly left: Tree; readonly right: Tree }
  | { readonly op: 'among'; readonly of: Tree; readonly values: ReadonlyArray<string | number | boolean> }
  | { readonly op: 'in_list'; readonly name: string; readonly list: string };

export type BinaryOp =
  | 'and'
  | 'or'
  | 'equal'
  | 'unequal'
  | 'less'
  | 'at_most'
  | 'more'
  | 'at_least'
  | 'add'
  | 'join'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'quotient'
  | 'starts_with'
  | 'ends_with'
  | 'contains';
