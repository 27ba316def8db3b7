import { signal } from '@preact/signals';
import { failureOf, hasCode } from '../api/client';
import { getLists } from '../api/list-routes';
import { deleteRule, getRule, getRules, getVersions, putRule, testRule } from '../api/routes';
import type { Rule, RuleBody, RuleTrial, RuleVersions } from '../api/types';
import { openDeclarations } from './declarations';
import { loader } from './loadable';
import { announce } from './page';
import { session } from './session';

const rules = loader<readonly Rule[]>();
const versions = loader<RuleVersions & { readonly name: string }>();
const trial = loader<RuleTrial>();

export const rulesView = rules.state;
/** A rule to begin with, which the next new rule starts from. */
export const recipe = signal<{ readonly name: string; readonly body: RuleBody } | undefined>(undefined);
export const versionsView = versions.state;
/** The backtest of the rule in the editor; its failure says what is wrong with the expression. */
export const trialView = trial.state;
/** The share of fraud among each rule's labelled matches; null without any. By name and version. */
export const precisions = signal<Readonly<Record<string, number | null>>>({});
export const listNames = signal<readonly string[]>([]);

export const precisionKey = ({ name, version }: Pick<Rule, 'name' | 'version'>): string => `${name} ${version}`;

/** How many rules are tested for the list: one after another, each takes up to two seconds. */
const MOST_TESTED = 20;
let testing: AbortController | undefined;

/** Fetches the rules; then, one by one, the precision of the running ones. */
export async function openRules(): Promise<void> {
  await rules.load(async (abort) => (await getRules(abort)).rules, true);
  const [lists] = await Promise.allSettled([getLists(), openDeclarations()]);
  if (lists.status === 'fulfilled') listNames.value = lists.value.lists.map(({ name }) => name);
  testing?.abort();
  testing = new AbortController();
  const { signal: abort } = testing;
  const running = (rules.state.value.data ?? []).filter(({ state }) => state === 'active' || state === 'shadow');
  for (const rule of session.value?.canEditRules ? running.slice(0, MOST_TESTED) : []) {
    const key = precisionKey(rule);
    if (abort.aborted || key in precisions.value) continue;
    const tested = await testRule(rule, abort).catch(() => undefined);
    if (tested && !abort.aborted) precisions.value = { ...precisions.value, [key]: tested.precision };
  }
}

export const openVersions = (name: string): Promise<void> =>
  versions.load(async (abort) => ({ name, ...(await getVersions(name, abort)) }), true);

/** Tests the rule in the editor; the last answer stays until the new one arrives. */
export const tryRule = (body: RuleBody): Promise<void> => trial.load((abort) => testRule(body, abort), true);

export const forgetTrial = (): void => trial.reset();

export type Saved =
  | { readonly kind: 'saved'; readonly rule: Rule }
  /** Somebody else changed it meanwhile; undefined if they deleted it. */
  | { readonly kind: 'stale'; readonly theirs: Rule | undefined }
  | { readonly kind: 'failed'; readonly message: string };

export async function saveRule(name: string, body: RuleBody, ifVersion: number | undefined): Promise<Saved> {
  try {
    const rule = await putRule(name, body, ifVersion);
    announce(`${name} saved as version ${rule.version}`);
    await Promise.all([openVersions(name), rules.load(async (abort) => (await getRules(abort)).rules, true)]);
    return { kind: 'saved', rule };
  } catch (error) {
    const failure = failureOf(error);
    if (hasCode(failure, 'version_mismatch')) {
      return { kind: 'stale', theirs: await getRule(name).catch(() => undefined) };
    }
    const [detail] = failure.kind === 'refused' ? failure.details : [];
    return { kind: 'failed', message: detail ? `${detail.field}: ${detail.message}` : failure.message };
  }
}

/** Deletes a rule; returns the reason if that failed. */
export async function removeRule({ name, version }: Rule): Promise<string | undefined> {
  try {
    await deleteRule(name, version);
  } catch (error) {
    return failureOf(error).message;
  }
  announce(`${name} deleted`);
  await openRules();
  return undefined;
}

export function closeRules(): void {
  testing?.abort();
  rules.reset();
  versions.reset();
  trial.reset();
  precisions.value = {};
  listNames.value = [];
}
