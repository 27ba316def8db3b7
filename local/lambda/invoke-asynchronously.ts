import type { StackResource } from '../template/resolve-stack';
import type { InvocationOutcome } from './environment';
import type { LambdaFunction, Wait } from './pool';

/** Lambda retries an asynchronous event twice, after one minute and after two. */
const DEFAULT_RETRIES = 2;
const WAITS_MS = [60_000, 120_000] as const;

interface ConfigProperties {
  readonly FunctionName: string;
  readonly Qualifier: string;
  readonly MaximumRetryAttempts?: number;
}

/** Invokes as EventBridge does: the caller gets the outcome of the first try, and retries follow on their own. */
export type InvokeAsynchronously = (
  target: LambdaFunction,
  targetArn: string,
  event: unknown,
) => Promise<InvocationOutcome>;

/** `AWS::Lambda::EventInvokeConfig` says how often, for a function and the alias that is called. */
export function asynchronousInvocations(
  configs: readonly StackResource[],
  wait: Wait,
  report: (problem: string) => void,
): InvokeAsynchronously {
  const retriesOf = ({ config }: LambdaFunction, arn: string): number => {
    const qualifier = arn.split(':')[7] ?? '$LATEST';
    const found = configs
      .map(({ properties }) => properties as unknown as ConfigProperties)
      .find(
        (each) =>
          [config.functionName, config.arn].includes(each.FunctionName) &&
          each.Qualifier.split(':').at(-1) === qualifier,
      );
    return found?.MaximumRetryAttempts ?? DEFAULT_RETRIES;
  };
  return async (target, arn, event) => {
    const retries = retriesOf(target, arn);
    const attempt = async (number: number): Promise<InvocationOutcome> => {
      const outcome = await target.invoke(event);
      if (outcome.ok || number > retries) return outcome;
      const again = async (): Promise<void> => {
        report(`${target.config.name} failed (${outcome.error.errorMessage}): retry ${number} of ${retries} follows`);
        if (await wait(WAITS_MS[number - 1] ?? 0)) await attempt(number + 1);
      };
      void again();
      return outcome;
    };
    return attempt(1);
  };
}

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
