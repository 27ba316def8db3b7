import type { Stage } from '../shared/domain/stage';

/** The output of each of a stage's stacks that keeps the options it was deployed with. */
export const KEPT_OPTIONS_OUTPUT = 'DeploymentOptions';

/** `-c name=value`, by name. */
export type Options = Readonly<Record<string, string>>;

interface OptionGroup {
  readonly names: readonly string[];
  /** Loss without the options; undefined where leaving them out only means the default. */
  readonly losing?: string;
}

const STAGE_NAME = '<stage>';

/** Every option that belongs to a stage for good, by the name that `--drop` takes. */
const GROUPS: Readonly<Record<string, OptionGroup>> = {
  domain: {
    names: [`${STAGE_NAME}Domain`, `${STAGE_NAME}CertificateArn`],
    losing: 'the API’s domain, which callers use',
  },
  consoleDomain: {
    names: [`${STAGE_NAME}ConsoleDomain`, `${STAGE_NAME}ConsoleCertificateArn`],
    losing: 'the console’s domain',
  },
  signIn: {
    names: ['Issuer', 'ClientId', 'Audience', 'Scope', 'Origins', 'RoleClaim', 'AccountClaim', 'PersonClaim'].map(
      (name) => `oidc${name}`,
    ),
    losing: 'sign-in by OpenID Connect',
  },
  subscriptions: { names: ['alarmEmail', 'ticketEmail', 'alarmSlack'], losing: 'who is notified of alarms' },
  eventBus: { names: ['eventBus', `${STAGE_NAME}EventBus`], losing: 'the event bus' },
  warehouse: {
    names: ['warehouse', 'warehouseDays', 'warehouseUsers'],
    losing: 'the warehouse, which then gets no more rows',
  },
  quota: { names: ['accountDailyQuota'], losing: 'the daily quota of each account' },
  capacity: { names: ['provisionedFor'] },
  limits: { names: ['accountRateLimit', 'accountBurstLimit'] },
  environment: { names: ['account', 'region'] },
  qualifier: { names: ['@aws-cdk/core:bootstrapQualifier'] },
  monitoring: { names: ['monitoring', 'alarms', 'runbookUrl'] },
  console: { names: ['console'] },
};

const ONCE: readonly string[] = ['canary', 'verifyReceiver'];

/** Options that revoke what another option gave. */
const TAKES_AWAY: Readonly<Record<string, string>> = { 'console=off': 'consoleDomain', 'alarms=off': 'subscriptions' };

const namesIn = (group: string, stage: Stage): readonly string[] =>
  (GROUPS[group]?.names ?? []).map((name) => name.replace(STAGE_NAME, stage));

export const keptNames = (stage: Stage): readonly string[] =>
  Object.keys(GROUPS).flatMap((group) => namesIn(group, stage));

/** As the output has them: sorted, so that the same options are the same text. */
export const keptText = (options: Options): string =>
  JSON.stringify(Object.fromEntries(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1))));

export interface OptionChanges {
  readonly given: Options;
  readonly drop: readonly string[];
}

export type MergedOptions = { readonly options: Options } | { readonly problem: string };

/** Options of the other stage, and anything of CDK's own, are passed on and not kept. */
function isPassedOn(name: string): boolean {
  return ONCE.includes(name) || name.includes(':') || /^(?:sandbox|production)[A-Z]/.test(name);
}

/** The options of a deployment: those kept with the stack, unless overridden or dropped by name. */
export function mergeOptions(stage: Stage, kept: Options, { given, drop }: OptionChanges): MergedOptions {
  const known = keptNames(stage);
  const strange = Object.keys(given).find((name) => !known.includes(name) && !isPassedOn(name));
  if (strange !== undefined) return { problem: `-c ${strange} is not an option of a ${stage} deployment.` };
  const empty = Object.entries(given).find(([, value]) => value === '');
  if (empty) return { problem: `-c ${empty[0]}= has no value. To deploy without it, give --drop ${empty[0]}.` };
  const lost = drop.flatMap((name) => (GROUPS[name] ? namesIn(name, stage) : [name]));
  const unknown = drop.find((name) => !GROUPS[name] && !known.includes(name));
  if (unknown !== undefined) {
    return { problem: `--drop ${unknown} is not known: give ${Object.keys(GROUPS).join(', ')}, or an option's name.` };
  }
  const both = Object.keys(given).find((name) => lost.includes(name));
  if (both !== undefined) return { problem: `Give either -c ${both}=… or --drop, not both.` };
  const remaining = Object.fromEntries(Object.entries(kept).filter(([name]) => !lost.includes(name)));
  for (const [pair, group] of Object.entries(TAKES_AWAY)) {
    const [name = '', value] = pair.split('=');
    if (given[name] === value && namesIn(group, stage).some((each) => each in remaining)) {
      return { problem: `-c ${pair} would lose ${GROUPS[group]?.losing}. If you mean it, add --drop ${group}.` };
    }
  }
  return { options: { ...remaining, ...given } };
}

/** The options of a deployment and its changes to them, in words. */
export function optionLines(kept: Options, options: Options): readonly string[] {
  const names = [...new Set([...Object.keys(kept), ...Object.keys(options)])].sort();
  return names.map((name) => {
    const [before, after] = [kept[name], options[name]];
    if (after === undefined) return `  ${name}: DROPPED (was ${before})`;
    if (ONCE.includes(name)) return `  ${name}=${after} (this time only)`;
    if (before === undefined) return `  ${name}=${after} (new)`;
    return before === after ? `  ${name}=${after} (kept)` : `  ${name}=${after} (was ${before})`;
  });
}
