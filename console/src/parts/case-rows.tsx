import { useEffect } from 'preact/hooks';
import { lastCaseId } from '../state/case-view';
import type { Row } from '../state/queue';
import { caseAddress } from '../state/route';
import { verdictOn } from '../state/verdicts';
import { subjectOf } from '../text/words';
import { Score } from './score';
import { Signals } from './signals';
import { Status } from './status';
import { Age, TimeLeft } from './time-left';

/** The status of a case: time left while it is open, otherwise who resolved it. */
function Standing({ row }: { readonly row: Row }) {
  const verdict = verdictOn(row.case_id);
  if (verdict) return <span class="muted">{verdict.status === 'approved' ? 'Approving…' : 'Rejecting…'}</span>;
  if (row.left) return <span class="muted">No longer in this list</span>;
  if (row.status === 'open') return <TimeLeft {...row} />;
  return (
    <span class="standing">
      <Status of={row.status} />
      {row.resolved_by && <span class="muted">by {row.resolved_by}</span>}
    </span>
  );
}

function CaseRow({ row }: { readonly row: Row }) {
  const isFaded = row.left || verdictOn(row.case_id) !== undefined;
  return (
    <li class={isFaded ? 'faded' : ''}>
      <a class="row" href={caseAddress(row.case_id)} data-case={row.case_id}>
        <Score value={row.risk_score} />
        <span class="who">
          <b>{row.user_id}</b>
          <span class="muted">{row.subject_type === 'transaction' ? 'Payment' : 'Event'}</span>
        </span>
        <span class="subject">{subjectOf(row)}</span>
        <Signals names={row.signals} most={3} />
        <span class="age">
          <Age since={row.created_at} />
        </span>
        <Standing row={row} />
      </a>
    </li>
  );
}

/** The cases of a page, one link each. Coming back from a case restores the focus. */
export function CaseRows({ rows, isOpen }: { readonly rows: readonly Row[]; readonly isOpen: boolean }) {
  useEffect(() => {
    const from = lastCaseId.value;
    if (from) document.querySelector<HTMLElement>(`.rows [data-case="${from}"]`)?.focus();
    lastCaseId.value = undefined;
  }, []);
  return (
    <>
      <div class="row row-head" aria-hidden="true">
        <span>Score</span>
        <span>User</span>
        <span class="subject">Amount</span>
        <span>Signals</span>
        <span class="age">Age</span>
        <span>{isOpen ? 'Time left' : 'Status'}</span>
      </div>
      <ol class="rows" aria-label="Cases">
        {rows.map((row) => (
          <CaseRow key={row.case_id} row={row} />
        ))}
      </ol>
    </>
  );
}
