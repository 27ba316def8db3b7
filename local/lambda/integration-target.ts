import type { LambdaFunction } from './pool';

/** All functions of the stack, found by any of the names AWS uses for them. */
export type Functions = ReadonlyMap<string, LambdaFunction>;

/** The function behind an ARN or a name (without alias or version: they are the same here), or an integration URI. */
export function functionOf(functions: Functions, reference: string): LambdaFunction | undefined {
  const [, inUri] = /\/functions\/(arn:.+)\/invocations$/.exec(reference) ?? [];
  const whole = inUri ?? reference;
  const parts = whole.split(':');
  const unqualified = parts[0] === 'arn' ? parts.slice(0, 7).join(':') : parts[0];
  return functions.get(whole) ?? functions.get(unqualified ?? '');
}
