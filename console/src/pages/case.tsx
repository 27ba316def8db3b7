import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { correctDecision } from '../api/routes';
import type { Outcome } from '../api/types';
import { Waterfall } from '../charts/waterfall';
import { CaseHead, DecisionBar } from '../parts/case-head';
import { CaseLists } from '../parts/case-lists';
import { Reported } from '../parts/decision-table';
import { SentPanel, SubjectFacts } from '../parts/evidence';
import { WhatIf } from '../parts/labels';
import { BackIcon, Opening, Panel } from '../parts/panel';
import { Timeline } from '../parts/timeline';
import { UserProfile } from '../parts/user-profile';
import {
  type CaseData,
  caseView,
  holdCase,
  insisted,
  loadTimeline,
  nextCase,
  openCase,
  otherHolder,
  refreshCase,
} from '../state/case-view';
import { announce, useShortcuts, whileVisible } from '../state/page';
import { addressOf, goTo, goToQueue, lastFilter, route } from '../state/route';
import { session } from '../state/session';
import { confirmed, decide, GRACE_MS, verdictOn } from '../state/verdicts';
import { visible } from '../text/words';

const REFRESH_MS = 15_000;

/** Moves to the next open case, or to the queue if there is none, unless the analyst has navigated away. */
async function goOn(): Promise<void> {
  const from = route.value;
  const next = await nextCase();
  if (route.value !== from) return;
  if (next) goTo({ page: 'case', caseId: next });
  else goToQueue();
}

function CaseBody({ data }: { readonly data: CaseData }) {
  const { reviewCase, decision } = data;
  const verdict = verdictOn(reviewCase.case_id);
  const isHeld = otherHolder(reviewCase) !== undefined;
  const isInsisted = insisted.value.has(reviewCase.case_id);
  const mayDecide = session.value?.canResolve === true && (!isHeld || isInsisted);
  const canDecide = reviewCase.status === 'open' && !verdict && mayDecide;

  const resolve = (status: Outcome): void => {
    if (!canDecide || !session.value) return;
    decide([reviewCase], status, session.value.analystId, isHeld);
    const word = status === 'approved' ? 'Approving' : 'Rejecting';
    announce(`${word} the case for ${visible(reviewCase.user_id)} in ${GRACE_MS / 1000} seconds. Press u to undo.`);
    void goOn();
  };
  const correct = async (to: 'allow' | 'block'): Promise<void> => {
    const analystId = session.value?.analystId;
    if (!analystId) return;
    try {
      await correctDecision(decision.decision_id, to, { analystId });
      announce('The decision was corrected.');
    } catch {
      announce('The decision was not corrected. Try again.');
    }
    await Promise.all([openCase(reviewCase.case_id), loadTimeline(reviewCase.case_id)]);
  };
  // A case that is on somebody's screen is theirs, as long as it can be decided.
  const isOpen = reviewCase.status === 'open';
  useEffect(() => {
    if (isOpen) return holdCase(reviewCase.case_id);
    void loadTimeline(reviewCase.case_id);
    return undefined;
  }, [reviewCase.case_id, isOpen]);
  // Every change that others make to a case is on its timeline.
  const seen = useRef<string | undefined>(undefined);
  useEffect(() => {
    const now = `${otherHolder(reviewCase)} ${reviewCase.comments}`;
    if (seen.current !== undefined && seen.current !== now) void loadTimeline(reviewCase.case_id);
    seen.current = now;
  }, [reviewCase]);
  useShortcuts({
    a: () => resolve('approved'),
    r: () => resolve('rejected'),
    n: () => void goOn(),
    w: () => goTo({ page: 'user', userId: reviewCase.user_id }),
    m: () => document.getElementById('notes')?.focus(),
    c: () => document.getElementById('comment')?.focus(),
    Escape: goToQueue,
  });

  return (
    <>
      <CaseHead data={data} verdict={verdict} />
      <div class="case-columns">
        <div class="case-column">
          <Panel title="Why this score">
            <Waterfall explanation={decision.explanation} />
            <WhatIf decision={decision} />
            <Reported decision={decision} />
          </Panel>
          <SubjectFacts decision={decision} />
          <CaseLists reviewCase={reviewCase} />
          <Timeline caseId={reviewCase.case_id} />
        </div>
        <div class="case-column">
          <SentPanel decisionId={decision.decision_id} />
          <UserProfile />
        </div>
      </div>
      <DecisionBar
        reviewCase={reviewCase}
        decision={decision}
        canDecide={canDecide}
        resolve={resolve}
        correct={(to) => void correct(to)}
        goOn={() => void goOn()}
      />
    </>
  );
}

/** One case: everything known when it was flagged, and the decision. */
export function CasePage({ caseId }: { readonly caseId: string }) {
  const { data, failure } = caseView.value;
  useEffect(() => {
    void openCase(caseId);
    return whileVisible(REFRESH_MS, () => void refreshCase());
  }, [caseId]);
  useSignalEffect(() => {
    if (confirmed.value > 0) void refreshCase();
  });
  const shown = data?.reviewCase.case_id === caseId ? data : undefined;
  return (
    <div class="page case">
      <a class="back" href={addressOf({ page: 'queue', filter: lastFilter.value })}>
        <BackIcon /> Queue
      </a>
      {shown ? (
        <CaseBody key={caseId} data={shown} />
      ) : (
        <Opening noun="case" failure={failure} retry={() => void openCase(caseId)} />
      )}
    </div>
  );
}
