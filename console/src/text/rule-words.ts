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

/** What a rule would have done, in pairs for a list of facts. */
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

/** A step of a rule's life that a button takes. */
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
  if (state === 'active') return rollout_percent < 100 ? [ALL, { ...SHADOW, label: 'Back to shadow' }, pause] : [pause];
  return [SHADOW, rollout_percent < 100 ? TENTH : ALL];
}

/** What a step changes, in a sentence for the confirmation. */
export function stepText(step: RuleStep, rule: Rule): string {
  if (step.state === 'shadow') return 'It is evaluated and counted. No decision changes.';
  if (step.state === 'paused') {
    return rule.state === 'active' ? 'It no longer decides anything, within 60 seconds.' : 'It is no longer evaluated.';
  }
  const whom = step.rollout_percent === 100 ? 'all users' : `${step.rollout_percent}% of users, always the same ones`;
  return `It decides for ${whom}, within 60 seconds.`;
}

/** What would change per day if the rule took the step, from a backtest; undefined where nothing would. */
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
