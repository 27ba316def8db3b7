import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Outcome } from '../api/types';
import { lastCaseId, otherHolder } from '../state/case-view';
import { announce, useShortcuts } from '../state/page';
import { assign, pick, type Row, selection, toggle } from '../state/queue';
import { caseAddress } from '../state/route';
import { session } from '../state/session';
import { decide, GRACE_MS, verdictOn } from '../state/verdicts';
import { casesCsv, type Group, groupRows, plural, shortTime, subjectOf, visible } from '../text/words';
import { Age, Score, Shortcut, Signals, Status, TimeLeft } from './labels';
import { CheckIcon, CrossIcon, Problem } from './panel';

function CaseStatus({ row }: { readonly row: Row }) {
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

const isGone = (row: Row): boolean => row.left === true || verdictOn(row.case_id) !== undefined;

export function CaseRow({ row, canPick }: { readonly row: Row; readonly canPick: boolean }) {
  const isFaded = isGone(row);
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
        <CaseStatus row={row} />
      </a>
    </li>
  );
}

/** Time between the first and the last: `5 min`, or `a minute`. */
function spanOf(rows: readonly Row[]): string {
  const times = rows.map(({ created_at }) => Date.parse(created_at));
  const span = shortTime(Math.max(...times) - Math.min(...times));
  return span === 'now' ? 'a minute' : span;
}

export function CaseGroup({ rows, canPick }: { readonly rows: Group<Row>; readonly canPick: boolean }) {
  const isOpen = useSignal(false);
  const ids = rows.filter(({ left }) => !left).map(({ case_id }) => case_id);
  const users = new Set(rows.map(({ user_id }) => user_id));
  const name = `${plural(rows.length, 'case')} of one device within ${spanOf(rows)}`;
  const isFaded = rows.every(isGone);
  return (
    <li class="group">
      <div class={`pickable ${isFaded ? 'faded' : ''}`}>
        {canPick && (
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={ids.length > 0 && ids.every((id) => selection.value.has(id))}
            disabled={isFaded}
            onChange={() => toggle(ids)}
          />
        )}
        <button
          type="button"
          class="group-head"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <Score value={Math.max(...rows.map(({ risk_score }) => risk_score))} />
          <b>{name}</b>
          <span class="muted">
            {users.size === 1 ? visible(rows[0].user_id) : plural(users.size, 'user')}
            {isOpen.value ? ' · hide' : ' · show'}
          </span>
          {isFaded && <CaseStatus row={rows[0]} />}
        </button>
      </div>
      {isOpen.value && (
        <ol class="rows nested" aria-label={name}>
          {rows.map((row) => (
            <CaseRow key={row.case_id} row={row} canPick={canPick} />
          ))}
        </ol>
      )}
    </li>
  );
}

interface CaseRowsProps {
  readonly rows: readonly Row[];
  readonly isOpen: boolean;
  /** Cases of one device are one row, as long as they stand in order of time. */
  readonly isGrouped: boolean;
}

export function CaseRows({ rows, isOpen, isGrouped }: CaseRowsProps) {
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
        {(isOpen && isGrouped ? groupRows(rows) : rows.map((row) => [row] as const)).map((group) =>
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

export function SelectionBar({ rows }: { readonly rows: readonly Row[] }) {
  const problem = useSignal<string | undefined>(undefined);
  const picked = rows.filter(({ case_id, left }) => !left && selection.value.has(case_id));
  const resolve = (status: Outcome): void => {
    if (!session.value || picked.length === 0) return;
    decide(picked, status, session.value.analystId);
    pick([]);
    const word = status === 'approved' ? 'Approving' : 'Rejecting';
    announce(`${word} ${plural(picked.length, 'case')} in ${GRACE_MS / 1000} seconds. Press u to undo.`);
  };
  const assignTo = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const to = String(new FormData(event.currentTarget as HTMLFormElement).get('to')).trim();
    if (!to) return;
    const failed = await assign(picked, to);
    problem.value = failed > 0 ? `${plural(failed, 'case')} could not be assigned.` : undefined;
    pick([]);
  };
  const download = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([casesCsv(picked)], { type: 'text/csv' }));
    link.download = 'cases.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  useShortcuts(picked.length > 0 ? { a: () => resolve('approved'), r: () => resolve('rejected') } : {});
  if (picked.length === 0) return problem.value ? <Problem>{problem.value}</Problem> : null;
  const known = new Set(rows.flatMap(({ assignee, resolved_by }) => [assignee ?? '', resolved_by ?? '']));
  return (
    <section class="decision-bar" aria-label="Selected cases">
      <p class="why-not">{plural(picked.length, 'case')} selected</p>
      <button type="button" class="button approve" onClick={() => resolve('approved')}>
        <CheckIcon /> Approve <span class="wide">· legitimate</span> <Shortcut of="a" />
      </button>
      <button type="button" class="button reject" onClick={() => resolve('rejected')}>
        <CrossIcon /> Reject <span class="wide">· fraud</span> <Shortcut of="r" />
      </button>
      <form class="assign" onSubmit={(event) => void assignTo(event)}>
        <input
          name="to"
          list="people"
          maxLength={128}
          autoComplete="off"
          aria-label="Assign to"
          placeholder="Assign to"
        />
        <datalist id="people">
          {[...known, session.value?.analystId ?? ''].filter(Boolean).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit" class="button">
          Assign
        </button>
      </form>
      <button type="button" class="button" onClick={download}>
        CSV
      </button>
      <button type="button" class="button" onClick={() => pick([])}>
        Clear
      </button>
    </section>
  );
}
