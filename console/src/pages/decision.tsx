import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { failureOf } from '../api/client';
import { correctDecision } from '../api/routes';
import type { Decision } from '../api/types';
import { Waterfall } from '../charts/waterfall';
import { ReasonPicker, ScoreRing } from '../parts/case-head';
import { CurrentDecision, DecisionList, Reported } from '../parts/decision-table';
import { SentPanel, SubjectFacts } from '../parts/evidence';
import { Ago, WhatIf } from '../parts/labels';
import { BackIcon, CheckIcon, CrossIcon, Opening, PageHeading, Panel, Problem } from '../parts/panel';
import { decisionView, openDecision, shownDecisions } from '../state/loadable';
import { announce } from '../state/page';
import { addressOf, caseAddress, goTo } from '../state/route';
import { session } from '../state/session';
import { keepReason, reasons } from '../state/verdicts';
import { fullTime, nameOf, subjectOf, visible } from '../text/words';

const MAX_NOTES = 4000;

/** A person's word in place of the service's, with a reason. */
function Override({ decision }: { readonly decision: Decision }) {
  const notes = useSignal('');
  const isBusy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const { decision_id: id, review } = decision;
  const decide = async (to: 'allow' | 'block'): Promise<void> => {
    const analystId = session.value?.analystId;
    if (!analystId || isBusy.value) return;
    if (!notes.value.trim()) {
      problem.value = 'Say why. It is recorded with the decision.';
      return;
    }
    isBusy.value = true;
    problem.value = undefined;
    try {
      await correctDecision(id, to, { analystId, notes: notes.value.trim(), reasonCode: reasons.value[id] });
      announce(to === 'allow' ? 'It is allowed now.' : 'It counts as fraud now.');
      notes.value = '';
      keepReason(id, '');
      await openDecision(id);
    } catch (error) {
      problem.value = failureOf(error).message;
    }
    isBusy.value = false;
  };
  return (
    <Panel title={review ? 'Decided by a person' : 'Overturn'} class="override">
      {review && (
        <p>
          <b>{review.analyst_id === null ? 'A person' : visible(review.analyst_id)}</b>{' '}
          {review.decision === 'allow' ? 'allowed it' : 'called it fraud'}, {fullTime(review.reviewed_at)}{' '}
          {review.reason_code && <span class="chip">{nameOf(review.reason_code)}</span>}
        </p>
      )}
      {review?.notes && <blockquote class="notes">{review.notes}</blockquote>}
      {session.value?.canCorrect ? (
        <>
          <textarea
            rows={2}
            maxLength={MAX_NOTES}
            aria-label="Why you decide otherwise"
            placeholder="Why, for the audit trail"
            value={notes.value}
            onInput={(event) => {
              notes.value = event.currentTarget.value;
            }}
          />
          <Problem>{problem.value}</Problem>
          <div class="buttons">
            <ReasonPicker caseId={id} />
            {decision.decision !== 'allow' && (
              <button type="button" class="button approve" disabled={isBusy.value} onClick={() => void decide('allow')}>
                <CheckIcon /> Allow: it is legitimate
              </button>
            )}
            {review?.decision !== 'block' && (
              <button type="button" class="button reject" disabled={isBusy.value} onClick={() => void decide('block')}>
                <CrossIcon /> It is fraud
              </button>
            )}
          </div>
          <p class="muted">Later screenings take it into account, and a webhook reports it.</p>
        </>
      ) : (
        <p class="muted">Your key can read decisions, but not change them.</p>
      )}
    </Panel>
  );
}

function DecisionBody({ decision }: { readonly decision: Decision }) {
  const { case_id } = decision;
  return (
    <>
      <header class="panel case-head">
        <ScoreRing value={decision.risk_score} />
        <div class="case-title">
          <PageHeading>
            {subjectOf(decision)} <span class="by">by {visible(decision.user_id)}</span>
          </PageHeading>
          <p class="muted">
            <code>{decision.decision_id}</code>
            <span>
              screened <Ago since={decision.decided_at} />
            </span>
          </p>
        </div>
        <div class="case-standing">
          <CurrentDecision decision={decision} />
        </div>
      </header>
      <div class="case-columns">
        <div class="case-column">
          <Panel title="Why this score">
            <Waterfall explanation={decision.explanation} />
            <WhatIf decision={decision} />
            <Reported decision={decision} />
          </Panel>
          <SubjectFacts decision={decision} />
        </div>
        <div class="case-column">
          {case_id && decision.decision === 'review' ? (
            <Panel title="Waiting for a decision">
              <a class="button" href={caseAddress(case_id)}>
                Open the case
              </a>
            </Panel>
          ) : (
            <Override key={decision.decision_id} decision={decision} />
          )}
          <Panel title="What to tell the customer">
            <p>{decision.customer_explanation}</p>
          </Panel>
          <SentPanel decisionId={decision.decision_id} />
        </div>
      </div>
    </>
  );
}

/** One decision: why, what was sent, what to tell the customer, and a person's word in its place. */
export function DecisionPage({ decisionId }: { readonly decisionId: string }) {
  const { data, failure } = decisionView.value;
  useEffect(() => void openDecision(decisionId), [decisionId]);
  const shown = data?.decision_id === decisionId ? data : undefined;
  return (
    <div class="page case decision-page">
      <a class="back" href={addressOf({ page: 'decisions', kind: 'block', from: '', to: '' })}>
        <BackIcon /> Decisions
      </a>
      {shown ? (
        <DecisionBody key={decisionId} decision={shown} />
      ) : (
        <Opening noun="decision" failure={failure} retry={() => void openDecision(decisionId)} />
      )}
    </div>
  );
}

const WAYS = [
  ['reference', 'Order or other reference'],
  ['user_id', 'User'],
  ['seen_with', 'Device, address, card, email or phone'],
] as const;

/** Decisions by whatever a customer on the phone can name. */
export function FindPage({ text, by }: { readonly text: string; readonly by: string }) {
  const sought = useSignal(text);
  const isGuess = !WAYS.some(([each]) => each === by);
  const guess = useSignal(0);
  const [way] = WAYS.find(([each]) => each === by) ?? WAYS[guess.value] ?? WAYS[0];
  const query = { [way]: text };
  const shown = shownDecisions(query);
  // Nobody said what it is: each meaning is tried until one finds something.
  useEffect(() => {
    if (isGuess && shown?.decisions.length === 0 && guess.value < WAYS.length - 1) guess.value += 1;
  }, [shown]);
  return (
    <div class="page">
      <div class="page-head">
        <PageHeading>Find</PageHeading>
        <search class="find">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (sought.value.trim()) goTo({ page: 'find', text: sought.value.trim(), by: way });
            }}
          >
            <input
              type="search"
              aria-label="Find an order, user, device, address, card or email"
              value={sought.value}
              onInput={(event) => {
                sought.value = event.currentTarget.value;
              }}
            />
          </form>
        </search>
      </div>
      <div class="filters">
        <nav class="tabs" aria-label="What it is">
          {WAYS.map(([each, label]) => (
            <a
              key={each}
              href={addressOf({ page: 'find', text, by: each })}
              {...(each === way ? { 'aria-current': 'true' } : {})}
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
      <div class="panel">
        <DecisionList
          query={query}
          label="Decisions that were found"
          none={`No decision in the last 90 days matches “${visible(text)}”`}
        />
      </div>
    </div>
  );
}
