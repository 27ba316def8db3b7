import { randomUUID } from 'node:crypto';
import {
  type Functions,
  functionOf,
  type InvocationOutcome,
  type InvokeAsynchronously,
  type LambdaFunction,
} from '../lambda/lambda-function';
import { permissions } from '../lambda/permissions';
import { StartError } from '../start-error';
import type { StackResource, Stacks } from '../template/resolve-stack';

const UNITS_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** Whether a rule with this period that was enabled at `startMs` fires after one time and until another, however often. */
export function isDueBetween(periodMs: number, startMs: number, afterMs: number, untilMs: number): boolean {
  const runsUntil = (ms: number): number => Math.floor((ms - startMs) / periodMs);
  return runsUntil(untilMs) > runsUntil(afterMs);
}

/** Reads `rate(n unit)` of EventBridge in milliseconds; throws on anything else: no rule here is a cron expression. */
export function parseSchedule(expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (!count) throw new Error(`the schedule ${expression} is not a rate`);
  return Number(count) * (UNITS_MS[unit] ?? 0);
}

interface RuleProperties {
  readonly ScheduleExpression?: string;
  readonly EventPattern?: unknown;
  readonly State?: string;
  readonly Targets?: readonly {
    readonly Arn: string;
    readonly Input?: string;
    readonly InputPath?: string;
    readonly InputTransformer?: unknown;
  }[];
}

interface Rule {
  readonly names: readonly string[];
  readonly periodMs: number;
  readonly enabled: boolean;
  fire(): Promise<readonly InvocationOutcome[]>;
}

export interface Schedules {
  readonly names: readonly string[];
  /** Fires a rule now, by logical id, rule name or construct name; undefined if there is none with that name. */
  fire(name: string): Promise<readonly InvocationOutcome[]> | undefined;
  /** Fires rules that became due since the last call, each at most once, and waits for the functions. */
  catchUp(): Promise<void>;
  /** Skips rules that became due since the last call. */
  skip(): void;
  start(): void;
  stop(): void;
}

const MINUTE_MS = 60_000;

function scheduledEvent(arn: string, region: string, account: string, nowMs: number) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [arn],
    detail: {},
  };
}

/** Reads the rules, which follow the functions' clock; `report` is called for failed runs. */
export function schedules(
  stacks: Stacks,
  functions: Functions,
  invoke: InvokeAsynchronously,
  { report, now }: { readonly report: (problem: string) => void; readonly now: () => number },
): Schedules {
  const { region, account } = stacks.main;
  const { require } = permissions(stacks.ofType('AWS::Lambda::Permission'));

  const rule = (resource: StackResource): Rule => {
    const properties = resource.properties as RuleProperties;
    const refuse = (what: string): never => {
      throw new StartError(`${resource.logicalId} (${resource.type}) ${what}, which the local run does not emulate.`);
    };
    if (properties.EventPattern || !properties.ScheduleExpression) refuse('listens to events instead of a schedule');
    const arn = resource.attribute('Arn');
    const targets = (properties.Targets ?? []).map(({ Arn, Input, InputPath, InputTransformer }) => {
      if (InputPath || InputTransformer) refuse('transforms its input');
      const found = functionOf(functions, Arn) ?? refuse(`has the target ${Arn}`);
      require(found as LambdaFunction, 'events.amazonaws.com', arn, resource);
      return { target: found as LambdaFunction, arn: Arn, input: Input };
    });
    const fire = (): Promise<readonly InvocationOutcome[]> =>
      Promise.all(
        targets.map(async ({ target, arn: targetArn, input }) => {
          const event = input === undefined ? scheduledEvent(arn, region, account, now()) : JSON.parse(input);
          const outcome = await invoke(target, targetArn, event);
          if (!outcome.ok) report(`the schedule ${resource.name} failed: ${outcome.error.errorMessage}`);
          return outcome;
        }),
      );
    try {
      return {
        names: [resource.logicalId, resource.ref, resource.name],
        periodMs: parseSchedule(properties.ScheduleExpression ?? ''),
        enabled: properties.State !== 'DISABLED',
        fire,
      };
    } catch (error) {
      return refuse(`cannot be read (${(error as Error).message})`);
    }
  };

  const rules = stacks.ofType('AWS::Events::Rule').map(rule);
  let timer: NodeJS.Timeout | undefined;
  const startMs = now();
  let lookedMs = startMs;
  // One clock for all: every schedule is a whole number of minutes, and a timer of a month would overflow.
  const catchUp = async (): Promise<void> => {
    const [afterMs, untilMs] = [lookedMs, now()];
    lookedMs = untilMs;
    const due = rules.filter(({ enabled, periodMs }) => enabled && isDueBetween(periodMs, startMs, afterMs, untilMs));
    await Promise.all(due.map(({ fire }) => fire()));
  };
  return {
    names: rules.map(({ names }) => names[0] ?? ''),
    fire: (name) => {
      const found = rules.find(({ names }) => names.includes(name));
      // In AWS it would never fire, so nothing may rely on it here.
      if (found && !found.enabled) return Promise.reject(new Error(`the schedule ${name} is DISABLED`));
      return found?.fire();
    },
    catchUp,
    skip: () => {
      lookedMs = now();
    },
    start: () => {
      timer = setInterval(() => void catchUp(), MINUTE_MS);
    },
    stop: () => clearInterval(timer),
  };
}
