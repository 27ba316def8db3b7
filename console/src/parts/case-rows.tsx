import { useEffect } from 'preact/hooks';
import { lastCaseId } from '../state/case-view';
import type { Row } from '../state/queue';
import { session } from '../state/session';
import { groupRows } from '../text/grouping';
import { CaseGroup } from './case-group';
import { CaseRow } from './case-row';

/** The cases of a page, one link each. Coming back from a case restores the focus. */
export function CaseRows({ rows, isOpen }: { readonly rows: readonly Row[]; readonly isOpen: boolean }) {
  useEffect(() => {
    const from = lastCaseId.value;
    if (from) document.querySelector<HTMLElement>(`.rows [data-case="${from}"]`)?.focus();
    lastCaseId.value = undefined;
  }, []);
  const canPick = isOpen && session.value?.canResolve === true;
  return (
    <>
      <div class={`row row-head ${canPick ? 'picking' : ''}`} aria-hidden="true">
        <span>Score</span>
        <span>User</span>
        <span class="subject">Amount</span>
        <span>Signals</span>
        <span class="age">Age</span>
        <span>{isOpen ? 'Time left' : 'Status'}</span>
      </div>
      <ol class="rows" aria-label="Cases">
        {(isOpen ? groupRows(rows) : rows.map((row) => [row] as const)).map((group) =>
          group.length > 1 ? (
            <CaseGroup key={group[0].case_id} rows={group} canPick={canPick} />
          ) : (
            <CaseRow key={group[0].case_id} row={group[0]} canPick={canPick} />
          ),
        )}
      </ol>
    </>
  );
}
