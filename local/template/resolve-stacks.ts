import { resolveStack } from './resolve-stack';
import type { Stack, StackResource, StackTemplate } from './types';

/** All stacks of one run: the wanted one last, those it depends on before it. */
export interface Stacks {
  readonly main: Stack;
  readonly all: readonly Stack[];
  /** The resources of a type (or types), over all stacks. */
  ofType(...types: readonly string[]): readonly StackResource[];
}

/** Resolves stacks in dependency order, passing the exports of each to those after it. */
export function resolveStacks(templates: readonly StackTemplate[], awsEndpoint: string): Stacks {
  const exported = new Map<string, string>();
  const all = templates.map((template) => {
    const stack = resolveStack(template, awsEndpoint, exported);
    for (const [name, value] of stack.exports) exported.set(name, value);
    return stack;
  });
  const main = all.at(-1);
  if (!main) throw new Error('no stack to run');
  const ofType = (...types: readonly string[]): readonly StackResource[] =>
    all.flatMap((stack) => stack.resources.filter(({ type }) => types.includes(type)));
  return { main, all, ofType };
}
