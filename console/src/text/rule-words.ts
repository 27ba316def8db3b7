import type { Rule, RuleBody, RuleTrial } from '../api/types';
import { DECIDED, money, percent, plural, signedPoints, wholeNumber } from './words';

const DO = { allow: 'Allow', block: 'Block', challenge: 'Challenge', review: 'Review' } as const;

/** `Block`, `+20 points`. */
export const actionText = ({ action, points }: Pick<RuleBody, 'action' | 'points'>): string =>
  action === 'points' ? `${signedPoints(points ?? 0)} points` : DO[action];

/** `Active, 10%`: of users. */
export function stateText({ state, rollout_percent }: Pick<Rule, 'state' | 'rollout_percent'>): string {
  if (state !== 'active') return { draft: 'Draft', shadow: 'Shadow', paused: 'Paused' }[state];
  return rollout_percent === 100 ? 'Active' : `Active, ${rollout_percent}%`;
}

/** Matches per day, over the last week. */
export function matchesText({ matches }: Pick<Rule, 'matches'>): string {
  const perDay = matches.last_7d / 7;
  const shown = perDay === 0 || perDay >= 10 ? wholeNumber(Math.round(perDay)) : perDay.toFixed(1);
  return `${shown} per day`;
}

/** `Precision 82%`; of labelled matches, the share that was fraud. */
export const precisionText = (share: number | null): string =>
  share === null ? 'no labels yet' : `${percent(share)} fraud`;

/** `34 allowed → held for review`. */
export const flipText = ({ from, to, count }: RuleTrial['flips'][number]): string =>
  `${wholeNumber(count)} ${DECIDED[from]} → ${DECIDED[to]}`;

/** A rule's backtest, in pairs for a list of facts. */
export function trialFacts(trial: RuleTrial): Array<readonly [string, string]> {
  const { matched, interval, matched_per_day, screened, amount_usd, precision, recall, labelled } = trial;
  const [low = matched, high = matched] = interval;
  return [
    [
      'Would match',
      `${wholeNumber(matched)} of ${wholeNumber(screened)} (${wholeNumber(low)} to ${wholeNumber(high)})`,
    ],
    ['Per day', matched_per_day.toLocaleString('en-US', { maximumFractionDigits: 1 })],
    ['Amount', money(amount_usd, 'USD')],
    ['Precision', precision === null ? 'no labelled matches' : percent(precision)],
    ['Recall', recall === null ? 'no labelled fraud' : percent(recall)],
    ['Labels', wholeNumber(labelled)],
  ];
}

export interface RuleStep {
  readonly label: string;
  readonly state: Rule['state'];
  readonly rollout_percent: number;
}

const SHADOW: RuleStep = { label: 'Try in shadow', state: 'shadow', rollout_percent: 100 };
const TENTH: RuleStep = { label: 'Activate for 10%', state: 'active', rollout_percent: 10 };
const ALL: RuleStep = { label: 'Activate for 100%', state: 'active', rollout_percent: 100 };

/** The steps that a rule can take, the next one first. */
export function stepsOf({ state, rollout_percent }: Pick<Rule, 'state' | 'rollout_percent'>): RuleStep[] {
  const pause: RuleStep = { label: 'Pause', state: 'paused', rollout_percent };
  if (state === 'draft') return [SHADOW];
  if (state === 'shadow') return [TENTH, pause];
  if (state === 'active') {
    const back = { ...SHADOW, label: 'Back to shadow' };
    return rollout_percent < 100 ? [ALL, back, pause] : [pause, { ...TENTH, label: 'Back to 10%' }];
  }
  return [SHADOW, rollout_percent < 100 ? TENTH : ALL];
}

/** A step's effect, in a sentence for the confirmation. */
export function stepText(step: RuleStep, rule: Rule): string {
  if (step.state === 'shadow') return 'It is evaluated and counted. No decision changes.';
  if (step.state === 'paused') {
    return rule.state === 'active' ? 'It no longer decides anything, within 60 seconds.' : 'It is no longer evaluated.';
  }
  const whom = step.rollout_percent === 100 ? 'all users' : `${step.rollout_percent}% of users, always the same ones`;
  return `It decides for ${whom}, within 60 seconds.`;
}

/** Changes per day if the rule took the step, from a backtest; undefined if there are none. */
export function changeText(step: RuleStep, trial: RuleTrial): string | undefined {
  if (step.state !== 'active') return undefined;
  const perDay = (count: number): number => (count * step.rollout_percent) / 100 / Math.max(trial.days, 1);
  const changes = trial.flips.map(({ from, to, count }) => {
    const each = perDay(count);
    const about = each < 1 ? 'less than 1' : wholeNumber(Math.round(each));
    return `${about} ${DECIDED[from]} → ${DECIDED[to]}`;
  });
  const span = plural(Math.max(1, Math.round(trial.days)), 'day');
  return changes.length === 0
    ? `In the last ${span} it would have changed no decision.`
    : `By the last ${span}, expect per day: ${changes.join(', ')}.`;
}

export const FRESH_RULE: RuleBody = {
  expression: '',
  action: 'review',
  points: null,
  priority: 500,
  state: 'draft',
  rollout_percent: 100,
  applies_to: null,
  expires_at: null,
  note: null,
  override_labels: false,
};

/** A rule as it is sent back, without members that the service adds. */
export const bodyOf = (rule: Rule | Omit<Rule, 'matches'>): RuleBody => ({
  expression: rule.expression,
  action: rule.action,
  points: rule.points,
  priority: rule.priority,
  state: rule.state,
  rollout_percent: rule.rollout_percent,
  applies_to: rule.applies_to,
  expires_at: rule.expires_at,
  note: rule.note,
  override_labels: rule.override_labels,
});

export interface MemberChange {
  readonly member: keyof RuleBody;
  readonly from: string;
  readonly to: string;
}

const shown = (value: RuleBody[keyof RuleBody]): string => {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
};

/** Differences between two versions, in the order of the form. */
export const changesBetween = (before: RuleBody, after: RuleBody): MemberChange[] =>
  (Object.keys(FRESH_RULE) as (keyof RuleBody)[]).flatMap((member) => {
    const [from, to] = [shown(before[member]), shown(after[member])];
    return from === to ? [] : [{ member, from, to }];
  });

/** A part of a text: in both versions, only in the old one, or only in the new one. */
export interface DiffPart {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

const words = (text: string): string[] => text.match(/\s+|[\w.]+|"[^"]*"|[^\s\w."]+|./g) ?? [];

/** The differences of two texts, word by word: what the longest common run of words leaves over. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const [a, b] = [words(before), words(after)];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [row, below] = [common[i] as Uint16Array, common[i + 1] as Uint16Array];
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  const parts: DiffPart[] = [];
  const add = (kind: DiffPart['kind'], text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
    else parts.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j];
    if (isSame) {
      add('same', a[i++] as string);
      j++;
    } else if (j >= b.length || (i < a.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      add('gone', a[i++] as string);
    } else add('new', b[j++] as string);
  }
  return parts;
}

export interface KnownName {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

export interface TypedWord {
  readonly from: number;
  readonly word: string;
}

const WORD = /[A-Za-z_][\w.]*$/;
const MOST = 8;

/** Whether a position is inside quotes, where nothing is a name. */
function isQuoted(before: string): boolean {
  let quote = '';
  for (let at = 0; at < before.length; at++) {
    const each = before[at] as string;
    if (quote === '') quote = each === '"' || each === "'" ? each : '';
    else if (each === '\\') at++;
    else if (each === quote) quote = '';
  }
  return quote !== '';
}

/** The name that ends at the caret; undefined if none does. */
export function typedWord(text: string, caret: number): TypedWord | undefined {
  const before = text.slice(0, caret);
  const [word] = WORD.exec(before) ?? [];
  if (word === undefined || isQuoted(before) || /^\w/.test(text.slice(caret))) return undefined;
  return { from: caret - word.length, word };
}

/** Names that the word may become: those that begin with it, then those with a part that does. */
export function completions(names: readonly KnownName[], word: string): KnownName[] {
  const sought = word.toLowerCase();
  const begins = names.filter(({ name }) => name.startsWith(sought) && name !== word);
  const within = names.filter(
    ({ name }) => !name.startsWith(sought) && (name.includes(`.${sought}`) || name.includes(`_${sought}`)),
  );
  // A complete name is not in the way of Enter.
  if (names.some(({ name }) => name === word) && begins.length === 0) return [];
  return [...begins, ...within].slice(0, MOST);
}

/** The text with a name in place of the word, and the caret's new position. */
export function completed(text: string, { from, word }: TypedWord, name: string): { text: string; caret: number } {
  return { text: text.slice(0, from) + name + text.slice(from + word.length), caret: from + name.length };
}

/** Rules to begin with, by name. */
export const RECIPES: ReadonlyArray<readonly [name: string, does: string, rule: Partial<RuleBody>]> = [
  [
    'new-user-large-order',
    'Hold large orders of users who signed up today',
    { expression: 'amount > 300 && features.user_age_days < 1', action: 'review' },
  ],
  [
    'data-centre-payments',
    'Ask for a second factor when a payment comes from a data centre',
    { expression: 'subject_type == "transaction" && ip.hosting && score >= 30', action: 'challenge' },
  ],
  [
    'country-mismatch',
    'Add points when the address and the billing address are in different countries',
    {
      expression: 'has(billing.country) && has(ip.country) && ip.country != billing.country',
      action: 'points',
      points: 10,
    },
  ],
  ['crypto', 'Hold payments in crypto', { expression: 'payment_method == "crypto"', action: 'review' }],
];
