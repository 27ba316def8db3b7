import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { testRule } from '../api/rule-routes';
import type { Rule, RuleTrial } from '../api/types';
import { type Saved, saveRule } from '../state/rules';
import { session } from '../state/session';
import { bodyOf } from '../text/rule-body';
import { changeText, matchesText, type RuleStep, stateText, stepsOf, stepText } from '../text/rule-words';
import { wholeNumber } from '../text/words';
import { Panel } from './panel';

interface ConfirmStepProps {
  readonly rule: Rule;
  readonly step: RuleStep;
  close(): void;
}

/** Says what a step would change, from a backtest, before it is taken. */
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
      {outcome.value?.kind === 'failed' && (
        <p class="problem" role="alert">
          {outcome.value.message}
        </p>
      )}
      {outcome.value?.kind === 'stale' && (
        <p class="problem" role="alert">
          Somebody changed this rule meanwhile. Close this, look at the history, then decide again.
        </p>
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

/** Where a rule stands on its way from draft to everybody, and the buttons that move it. */
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
