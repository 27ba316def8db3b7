import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Rule, RuleBody } from '../api/types';
import { personOf } from '../state/loadable';
import { goTo } from '../state/route';
import { forgetTrial, recipe, removeRule, rulesView, type Saved, saveRule, trialView, tryRule } from '../state/rules';
import { session } from '../state/session';
import { bodyOf, changesBetween, FRESH_RULE } from '../text/rule-words';
import { ExpressionBox } from './expression-box';
import { Panel, Problem } from './panel';
import { RuleDiff, RuleTrialPanel } from './rule-rollout';

const ACTIONS: ReadonlyArray<readonly [action: RuleBody['action'], label: string]> = [
  ['review', 'Hold for review'],
  ['block', 'Block'],
  ['challenge', 'Challenge (second factor)'],
  ['allow', 'Allow'],
  ['points', 'Add points to the score'],
];

interface RuleFieldsProps {
  readonly body: RuleBody;
  readonly isReadOnly: boolean;
  change(part: Partial<RuleBody>): void;
}

const dayOf = (iso: string | null): string => iso?.slice(0, 10) ?? '';

export function RuleFields({ body, isReadOnly, change }: RuleFieldsProps) {
  const { action, points, priority, note, expires_at, override_labels } = body;
  return (
    <fieldset class="rule-fields" disabled={isReadOnly}>
      <legend class="hidden">What the rule does</legend>
      <label>
        Action
        <select
          value={action}
          onChange={({ currentTarget: { value } }) => {
            const chosen = value as RuleBody['action'];
            change({ action: chosen, points: chosen === 'points' ? 10 : null, override_labels: false });
          }}
        >
          {ACTIONS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {action === 'points' && (
        <label>
          Points
          <input
            type="number"
            min={-50}
            max={50}
            required
            value={points ?? 0}
            onInput={(event) => change({ points: event.currentTarget.valueAsNumber || 0 })}
          />
        </label>
      )}
      <label>
        Priority
        <input
          type="number"
          min={0}
          max={999}
          required
          value={priority}
          onInput={(event) => change({ priority: event.currentTarget.valueAsNumber || 0 })}
        />
      </label>
      <label>
        Ends
        <input
          type="date"
          value={dayOf(expires_at)}
          onInput={({ currentTarget: { value } }) => change({ expires_at: value ? `${value}T00:00:00.000Z` : null })}
        />
      </label>
      <label class="wide-field">
        Note
        <input
          maxLength={500}
          autoComplete="off"
          value={note ?? ''}
          onInput={(event) => change({ note: event.currentTarget.value || null })}
        />
      </label>
      {action === 'allow' && (
        <label class="check wide-field">
          <input
            type="checkbox"
            checked={override_labels}
            onChange={(event) => change({ override_labels: event.currentTarget.checked })}
          />
          Also allow users, devices and cards with a confirmed fraud
        </label>
      )}
    </fieldset>
  );
}

interface StaleRuleProps {
  readonly mine: RuleBody;
  /** Undefined if the rule was deleted. */
  readonly theirs: Rule | undefined;
  takeTheirs(theirs: Rule): void;
  keepMine(ontoVersion: number | undefined): void;
}

/** Somebody else saved the rule first: shows what differs, and lets the editor choose. */
export function StaleRule({ mine, theirs, takeTheirs, keepMine }: StaleRuleProps) {
  return (
    <div class="banner stale" role="alert">
      {theirs ? (
        <>
          <p>
            <b>{personOf(theirs.updated_by)}</b> saved version {theirs.version} while you were editing. Yours was not
            saved; it is still here. Your changes to theirs:
          </p>
          <RuleDiff before={bodyOf(theirs)} after={mine} />
        </>
      ) : (
        <p>Somebody deleted this rule while you were editing. Yours was not saved; it is still here.</p>
      )}
      <div class="buttons">
        {theirs && (
          <button type="button" class="button" onClick={() => takeTheirs(theirs)}>
            Discard mine
          </button>
        )}
        <button type="button" class="button" onClick={() => keepMine(theirs?.version)}>
          {theirs ? 'Save mine over it' : 'Save it again'}
        </button>
      </div>
    </div>
  );
}

/** After the last key: a test reads a month of traffic. */
const PAUSE_MS = 500;

const NAME = '[a-z][a-z0-9_\\-]{0,62}';

/** The expression's fault according to the last test; undefined if it could be tested. */
function expressionFault(): string | undefined {
  const { failure } = trialView.value;
  if (failure?.kind !== 'refused') return undefined;
  return failure.details.find(({ field }) => field === 'expression')?.message;
}

export function RuleEditor({ rule }: { readonly rule: Rule | undefined }) {
  const canEdit = session.value?.canEditRules === true;
  const name = useSignal(rule?.name ?? recipe.value?.name ?? '');
  const based = useSignal(rule);
  const body = useSignal<RuleBody>(rule ? bodyOf(rule) : (recipe.value?.body ?? FRESH_RULE));
  const outcome = useSignal<Saved | undefined>(undefined);
  const isBusy = useSignal(false);
  const { expression, action, points } = body.value;
  const isChanged = !based.value || changesBetween(bodyOf(based.value), body.value).length > 0;

  // A rollout step makes a new version: an editor without changes follows it.
  useEffect(() => {
    if (rule && !isBusy.value && !isChanged) take(rule);
  }, [rule?.version]);
  useEffect(() => {
    if (!canEdit || expression.trim() === '') return forgetTrial();
    const timer = setTimeout(() => void tryRule(body.value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [expression, action, points]);
  useEffect(() => forgetTrial, []);

  const take = (from: Rule): void => {
    based.value = from;
    body.value = bodyOf(from);
    outcome.value = undefined;
  };
  const save = async (onto: number | undefined): Promise<void> => {
    outcome.value = undefined;
    if (!rule && rulesView.value.data?.some((each) => each.name === name.value)) {
      outcome.value = { kind: 'failed', message: `There is a rule named ${name.value} already. Choose another name.` };
      return;
    }
    isBusy.value = true;
    const saved = await saveRule(name.value, body.value, rule ? onto : undefined);
    outcome.value = saved;
    isBusy.value = false;
    if (saved.kind !== 'saved') return;
    based.value = saved.rule;
    body.value = bodyOf(saved.rule);
    if (!rule) goTo({ page: 'rules', rule: name.value }, true);
  };
  const remove = async (): Promise<void> => {
    if (!based.value || !confirm(`Delete the rule ${name.value}? Its history is kept.`)) return;
    const problem = await removeRule(based.value);
    if (problem) outcome.value = { kind: 'failed', message: problem };
    else goTo({ page: 'rules' });
  };
  const change = (part: Partial<RuleBody>): void => {
    body.value = { ...body.value, ...part };
  };

  return (
    <div class="rule-columns">
      <Panel title={rule ? `Edit ${rule.name}` : 'New rule'}>
        <form
          class="list-add"
          onSubmit={(event) => {
            event.preventDefault();
            void save(based.value?.version);
          }}
        >
          {!rule && (
            <label>
              Name
              <input
                value={name.value}
                pattern={NAME}
                maxLength={63}
                required
                autoComplete="off"
                spellcheck={false}
                title="Lower-case letters, digits, - and _, beginning with a letter"
                onInput={(event) => {
                  name.value = event.currentTarget.value;
                }}
              />
            </label>
          )}
          <ExpressionBox
            value={expression}
            fault={expression.trim() === '' ? undefined : expressionFault()}
            isReadOnly={!canEdit}
            change={(text) => change({ expression: text })}
          />
          <RuleFields body={body.value} isReadOnly={!canEdit} change={change} />
          <Problem>{outcome.value?.kind === 'failed' && outcome.value.message}</Problem>
          {outcome.value?.kind === 'stale' && (
            <StaleRule
              mine={body.value}
              theirs={outcome.value.theirs}
              takeTheirs={take}
              keepMine={(version) => void save(version)}
            />
          )}
          {canEdit && (
            <div class="buttons">
              <button type="submit" class="button primary" disabled={isBusy.value || !isChanged}>
                {isBusy.value ? 'Saving…' : rule ? 'Save' : 'Save as draft'}
              </button>
              {rule && (
                <button type="button" class="button" onClick={() => void remove()}>
                  Delete
                </button>
              )}
              <span class="muted" role="status">
                {outcome.value?.kind === 'saved' && !isChanged ? `Saved as version ${outcome.value.rule.version}` : ''}
              </span>
            </div>
          )}
        </form>
      </Panel>
      {canEdit && <RuleTrialPanel isEmpty={expression.trim() === ''} />}
    </div>
  );
}
