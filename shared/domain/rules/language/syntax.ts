/** An expression as it was written, before anything is known about its names and types. */
export type Syntax = { readonly at: number } & (
  | {
      readonly kind: 'literal';
      readonly type: 'int' | 'double' | 'string' | 'bool';
      readonly value: string | number | boolean;
    }
  /** `ip.country`, `attr["key"]`: the parts of a name. */
  | { readonly kind: 'name'; readonly path: readonly string[] }
  | { readonly kind: 'list'; readonly items: readonly Syntax[] }
  | { readonly kind: 'unary'; readonly sign: '!' | '-'; readonly of: Syntax }
  | { readonly kind: 'binary'; readonly sign: BinarySign; readonly left: Syntax; readonly right: Syntax }
  | { readonly kind: 'call'; readonly name: string; readonly target?: Syntax; readonly args: readonly Syntax[] }
);

export const RELATIONS = ['==', '!=', '<=', '>=', '<', '>', 'in'] as const;
export type BinarySign = '&&' | '||' | '+' | '-' | '*' | '/' | (typeof RELATIONS)[number];

/** Limits of an expression: enough for any rule that a person can read. */
export const MAX_CHARACTERS = 2_000;
export const MAX_NODES = 100;
/** Parentheses within parentheses. */
export const MAX_DEPTH = 50;
