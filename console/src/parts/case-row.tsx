import { otherHolder } from '../state/claims';
import type { Row } from '../state/queue';
import { caseAddress } from '../state/route';
import { selection, toggle } from '../state/selection';
import { verdictOn } from '../state/verdicts';
import { subjectOf, visible } from '../text/words';
import { Score } from './score';
import { Signals } from './signals';
import { Status } from './status';
import { Age, TimeLeft } from './time-left';

/** The status of a case: time left while it is open, otherwise who resolved it. */
function Standing({ row }: { readonly row: Row }) {
  const verdict = verdictOn(row.case_id);
  if (verdict) return <span class="muted">{verdict.status === 'approved' ? 'Approving…' : 'Rejecting…'}</span>;
  if (row.left) return <span class="muted">No longer in this list</span>;
  const holder = otherHolder(row);
  if (row.status === 'open' && holder) return <span class="muted holder">{visible(holder)} is on it</span>;
  if (row.status === 'open') return <TimeLeft {...row} />;
  return (
    <span class="standing">
      <Status of={row.status} />
      {row.resolved_by && <span class="muted">by {visible(row.resolved_by)}</span>}
    </span>
  );
}

/** One case: a box to pick it, and a link to it. */
export function CaseRow({ row, canPick }: { readonly row: Row; readonly canPick: boolean }) {
  const isFaded = row.left || verdictOn(row.case_id) !== undefined;
  return (
    <li class={`pickable ${isFaded ? 'faded' : ''}`}>
      {canPick && (
        <input
          type="checkbox"
          aria-label={`Select the case for ${visible(row.user_id)}, ${subjectOf(row)}`}
          checked={selection.value.has(row.case_id)}
          disabled={isFaded}
          onChange={() => toggle([row.case_id])}
        />
      )}
      <a class="row" href={caseAddress(row.case_id)} data-case={row.case_id}>
        <Score value={row.risk_score} />
        <span class="who">
          <b>{visible(row.user_id)}</b>
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
