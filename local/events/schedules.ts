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

/** When a rule fires: at an interval in milliseconds, or in the minutes that a cron expression matches. */
export type ScheduleExpression =
  | { readonly kind: 'rate'; readonly periodMs: number }
  | { readonly kind: 'cron'; matches(date: Date): boolean };

const UNITS_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

function field(
  text: string,
  lowest: number,
  highest: number,
  names: readonly string[] = [],
): (value: number) => boolean {
  const number = (word: string): number => {
    const named = names.indexOf(word.toUpperCase());
    const value = named >= 0 ? named + lowest : Number(word);
    if (!Number.isInteger(value) || value < lowest || value > highest) throw new Error(`cron does not know ${word}`);
    return value;
  };
  const ranges = text.split(',').map((part) => {
    const [range = '', step] = part.split('/');
    const [from = '', to] = range.split('-');
    const everything = range === '*' || range === '?';
    const first = everything ? lowest : number(from);
    const last = everything || (step !== undefined && to === undefined) ? highest : number(to ?? from);
    return { first, last, step: step === undefined ? 1 : number(step) || 1 };
  });
  return (value) =>
    ranges.some(({ first, last, step }) => value >= first && value <= last && (value - first) % step === 0);
}

function cron(expression: string): (date: Date) => boolean {
  const [minute, hour, day, month, weekday, year, ...rest] = expression.trim().split(/\s+/);
  if (!minute || !hour || !day || !month || !weekday || !year || rest.length > 0)
    throw new Error(`cron(${expression}) needs six fields`);
  const tests = [
    [field(minute, 0, 59), (date: Date) => date.getUTCMinutes()],
    [field(hour, 0, 23), (date: Date) => date.getUTCHours()],
    [field(day, 1, 31), (date: Date) => date.getUTCDate()],
    [field(month, 1, 12, MONTHS), (date: Date) => date.getUTCMonth() + 1],
    [field(weekday, 1, 7, DAYS), (date: Date) => date.getUTCDay() + 1],
    [field(year, 1970, 2199), (date: Date) => date.getUTCFullYear()],
  ] as const;
  return (date) => tests.every(([test, read]) => test(read(date)));
}

/** Whether a rule that was enabled at `startMs` fires after one time and until another, however often. */
export function isDueBetween(schedule: ScheduleExpression, startMs: number, afterMs: number, untilMs: number): boolean {
  if (schedule.kind === 'rate') {
    const runsUntil = (ms: number): number => Math.floor((ms - startMs) / schedule.periodMs);
    return runsUntil(untilMs) > runsUntil(afterMs);
  }
  for (let ms = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS; ms <= untilMs; ms += MINUTE_MS) {
    if (schedule.matches(new Date(ms))) return true;
  }
  return false;
}

/** Reads `rate(n unit)` or `cron(…)` of EventBridge; throws on anything else, and on cron's L, W and #. */
export function parseSchedule(expression: string): ScheduleExpression {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count) return { kind: 'rate', periodMs: Number(count) * (UNITS_MS[unit] ?? 0) };
  const [, fields] = /^cron\((.+)\)$/.exec(expression) ?? [];
  if (!fields) throw new Error(`the schedule ${expression} is neither a rate nor a cron expression`);
  return { kind: 'cron', matches: cron(fields) };
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
  readonly schedule: ScheduleExpression;
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
