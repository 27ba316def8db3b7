import type { LambdaFunction } from './pool';

/** All functions of the stack, found by any of the names AWS uses for them. */
export type Functions = ReadonlyMap<string, LambdaFunction>;

/** The function behind an ARN (alias or version cut off), a name, or an API Gateway integration URI. */
export function functionOf(functions: Functions, reference: string): LambdaFunction | undefined {
  const [, inUri] = /\/functions\/(arn:.+)\/invocations$/.exec(reference) ?? [];
  const arn = inUri ?? reference;
  return functions.get(arn) ?? functions.get(arn.split(':').slice(0, 7).join(':'));
}
