import { randomUUID } from 'node:crypto';
import type { InvocationOutcome } from '../lambda/environment';
import { type Functions, functionOf, type InvokeAsynchronously } from '../lambda/invoke-asynchronously';
import { permissions } from '../lambda/permissions';
import type { LambdaFunction } from '../lambda/pool';
import { StartError } from '../start-error';
import type { Stacks } from '../template/resolve-stacks';
import type { StackResource } from '../template/types';
import { isDueBetween, parseSchedule, type ScheduleExpression } from './schedule-expression';

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
  readonly schedule: ScheduleExpression;
  readonly enabled: boolean;
  fire(): Promise<readonly InvocationOutcome[]>;
}

/** The scheduled rules of the stack. */
export interface Schedules {
  readonly names: readonly string[];
  /** Fires a rule now, by logical id, rule name or construct name; undefined if there is none with that name. */
  fire(name: string): Promise<readonly InvocationOutcome[]> | undefined;
  /** Fires what became due since it was last called, each rule at most once, and waits for the functions. */
  catchUp(): Promise<void>;
  /** Passes over what became due since then. */
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
      const schedule = parseSchedule(properties.ScheduleExpression ?? '');
      return {
        names: [resource.logicalId, resource.ref, resource.name],
        schedule,
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
    const due = rules.filter(({ enabled, schedule }) => enabled && isDueBetween(schedule, startMs, afterMs, untilMs));
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
