import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { testRule } from '../api/routes';
import type { Rule, RuleBody, RuleTrial, RuleVersion } from '../api/types';
import { openKeys, personOf } from '../state/loadable';
import { decisionAddress } from '../state/route';
import { openVersions, type Saved, saveRule, trialView, versionsView } from '../state/rules';
import { session } from '../state/session';
import {
  bodyOf,
  changesBetween,
  changeText,
  flipText,
  matchesText,
  type RuleStep,
  stateText,
  stepsOf,
  stepText,
  trialFacts,
  wordDiff,
} from '../text/rule-words';
import { nameOf, plural, wholeNumber } from '../text/words';
import { Facts } from './evidence';
import { Ago } from './labels';
import { Failed, Panel, Problem, Skeleton } from './panel';

interface ConfirmStepProps {
  readonly rule: Rule;
  readonly step: RuleStep;
  close(): void;
}

/** Shows the effect of a step, from a backtest, before it is taken. */
function ConfirmStep({ rule, step, close }: ConfirmStepProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const trial = useSignal<RuleTrial | 'failed' | undefined>(undefined);
  const outcome = useSignal<Saved | undefined>(undefined);
  const isBusy = useSignal(false);
  const isActivating = step.state === 'active';
  useEffect(() => {
    dialog.current?.showModal();
    if (!isActivating) return undefined;
    const abort = new AbortController();
    testRule(rule, abort.signal).then(
      (tested) => {
        trial.value = tested;
      },
      () => {
        if (!abort.signal.aborted) trial.value = 'failed';
      },
    );
    return () => abort.abort();
  }, []);
  const take = async (): Promise<void> => {
    isBusy.value = true;
    const { state, rollout_percent } = step;
    outcome.value = await saveRule(rule.name, { ...bodyOf(rule), state, rollout_percent }, rule.version);
    isBusy.value = false;
    if (outcome.value.kind === 'saved') close();
  };
  const { value: tested } = trial;
  return (
    <dialog ref={dialog} class="help" aria-labelledby="step-title" onClose={close}>
      <h2 id="step-title">
        {step.label}: {rule.name}
      </h2>
      <p>{stepText(step, rule)}</p>
      {isActivating && (
        <p role="status">
          {tested === undefined && 'Testing it on past traffic…'}
          {tested === 'failed' && 'It could not be tested on past traffic.'}
          {tested && tested !== 'failed' && changeText(step, tested)}
        </p>
      )}
      <Problem>{outcome.value?.kind === 'failed' && outcome.value.message}</Problem>
      {outcome.value?.kind === 'stale' && (
        <Problem>Somebody changed this rule meanwhile. Close this, look at the history, then decide again.</Problem>
      )}
      <div class="buttons">
        <button type="button" class="button primary" disabled={isBusy.value} onClick={() => void take()}>
          {isBusy.value ? 'Saving…' : step.label}
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}

const STAGES = ['Draft', 'Shadow', '10%', '100%'] as const;

/** How far a rule has come: 0 to 3; −1 if it is paused. */
function stageOf({ state, rollout_percent }: Rule): number {
  if (state === 'paused') return -1;
  if (state !== 'active') return state === 'draft' ? 0 : 1;
  return rollout_percent < 100 ? 2 : 3;
}

export function RuleRollout({ rule }: { readonly rule: Rule }) {
  const step = useSignal<RuleStep | undefined>(undefined);
  const stage = stageOf(rule);
  return (
    <Panel
      title="Rollout"
      aside={
        <span class="muted">
          {matchesText(rule)} in the last week, {wholeNumber(rule.matches.last_24h)} in the last 24 hours
        </span>
      }
    >
      <ol class="stages" aria-label={`State: ${stateText(rule)}`}>
        {STAGES.map((name, at) => (
          <li key={name} class={at <= stage ? 'reached' : ''} {...(at === stage ? { 'aria-current': 'step' } : {})}>
            {at === 2 && stage === 2 && rule.rollout_percent !== 10 ? `${rule.rollout_percent}%` : name}
          </li>
        ))}
        {stage === -1 && (
          <li class="reached paused" aria-current="step">
            Paused
          </li>
        )}
      </ol>
      {session.value?.canEditRules && (
        <div class="buttons">
          {stepsOf(rule).map((each, at) => (
            <button
              key={each.label}
              type="button"
              class={at === 0 ? 'button primary' : 'button'}
              onClick={() => {
                step.value = each;
              }}
            >
              {each.label}
            </button>
          ))}
        </div>
      )}
      {step.value && (
        <ConfirmStep
          key={step.value.label}
          rule={rule}
          step={step.value}
          close={() => {
            step.value = undefined;
          }}
        />
      )}
    </Panel>
  );
}

function ExpressionDiff({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <code class="diff">
      {wordDiff(before, after).map(({ kind, text }, at) => {
        const key = `${at} ${text}`;
        if (kind === 'gone') return <del key={key}>{text}</del>;
        return kind === 'new' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>;
      })}
    </code>
  );
}

export function RuleDiff({ before, after }: { readonly before: RuleBody; readonly after: RuleBody }) {
  const changes = changesBetween(before, after);
  if (changes.length === 0) return <p class="muted">No differences</p>;
  return (
    <dl class="changes">
      {changes.map(({ member, from, to }) => (
        <div key={member}>
          <dt>{nameOf(member)}</dt>
          <dd>
            {member === 'expression' ? (
              <ExpressionDiff before={from} after={to} />
            ) : (
              <>
                <del>{from}</del> → <ins>{to}</ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Every version of a rule with its changes, newest first. */
export function RuleHistory({ rule }: { readonly rule: Rule }) {
  const { name } = rule;
  const problem = useSignal<string | undefined>(undefined);
  const canEdit = session.value?.canEditRules === true;
  useEffect(() => {
    if (session.value?.canSeeKeys) void openKeys();
  }, []);
  const restore = async (version: RuleVersion): Promise<void> => {
    const { state, rollout_percent } = rule;
    const now = state === 'active' ? ' It decides so within 60 seconds.' : '';
    if (!confirm(`Restore version ${version.version} of ${name}?${now}`)) return;
    const saved = await saveRule(name, { ...bodyOf(version), state, rollout_percent }, rule.version);
    const stale = 'Somebody changed this rule meanwhile. Look at the history again.';
    problem.value = saved.kind === 'failed' ? saved.message : saved.kind === 'stale' ? stale : undefined;
  };
  const { data, failure } = versionsView.value;
  const shown = data?.name === name ? data.versions : undefined;
  return (
    <Panel title={`History of ${name}`}>
      <Problem>{problem.value}</Problem>
      {!shown && failure && <Failed failure={failure} retry={() => void openVersions(name)} />}
      {!shown && !failure && <Skeleton lines={3} label="Loading the history" />}
      {shown && (
        <ol class="versions">
          {shown.map((version, at) => {
            const before = shown[at + 1];
            return (
              <li key={version.version}>
                <p>
                  <b>Version {version.version}</b>{' '}
                  <span class="muted">
                    by {personOf(version.updated_by)}, <Ago since={version.updated_at} />
                  </span>{' '}
                  {canEdit && at > 0 && (
                    <button type="button" class="button small" onClick={() => void restore(version)}>
                      Restore
                      <span class="hidden"> version {version.version}</span>
                    </button>
                  )}
                </p>
                {before ? (
                  <RuleDiff before={bodyOf(before)} after={bodyOf(version)} />
                ) : (
                  <code class="diff">{version.expression}</code>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </Panel>
  );
}

const MOST_EXAMPLES = 5;

function Result({ trial }: { readonly trial: RuleTrial }) {
  const { flips, examples, not_testable, rows, days } = trial;
  return (
    <>
      <Facts facts={trialFacts(trial)} />
      <h3>Decisions that would change</h3>
      {flips.length === 0 ? (
        <p class="muted">None</p>
      ) : (
        <ul class="flips">
          {flips.map((flip) => (
            <li key={flip.from + flip.to}>{flipText(flip)}</li>
          ))}
        </ul>
      )}
      {not_testable.length > 0 && (
        <p class="banner">
          Upper bounds: past traffic cannot answer for <code>{not_testable.join(', ')}</code>.
        </p>
      )}
      {examples.length > 0 && (
        <details>
          <summary>Examples</summary>
          <ul class="examples">
            {examples.slice(0, MOST_EXAMPLES).map((id) => (
              <li key={id}>
                <a href={decisionAddress(id)}>
                  <code>{id}</code>
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="muted">
        An estimate from {wholeNumber(rows)} stored screenings of {plural(Math.max(1, Math.round(days)), 'day')}.
      </p>
    </>
  );
}

export function RuleTrialPanel({ isEmpty }: { readonly isEmpty: boolean }) {
  const { data, failure, isLoading } = trialView.value;
  const isRefused = failure?.kind === 'refused';
  return (
    <Panel title="Backtest" class="rule-trial" aside={<span class="muted">{isLoading ? 'Testing…' : ''}</span>}>
      <div aria-busy={isLoading}>
        {isEmpty && <p class="muted">Write a condition to see what it would have done in the last 30 days.</p>}
        {!isEmpty && !data && isLoading && <Skeleton lines={4} label="Testing the rule" />}
        {!isEmpty && !data && isRefused && <p class="muted">The condition cannot be tested yet.</p>}
        {!isEmpty && !data && failure && !isRefused && (
          <p class="problem">The test failed. Change the rule to retry.</p>
        )}
        {!isEmpty && data && isRefused && <p class="muted">Of the last condition that could be tested:</p>}
        {!isEmpty && data && <Result trial={data} />}
      </div>
    </Panel>
  );
}
