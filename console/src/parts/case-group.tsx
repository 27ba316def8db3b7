import { useSignal } from '@preact/signals';
import type { Row } from '../state/queue';
import { selection, toggle } from '../state/selection';
import type { Group } from '../text/grouping';
import { shortTime } from '../text/time';
import { plural, visible } from '../text/words';
import { CaseRow } from './case-row';
import { Score } from './score';

/** How long after the first the last came: `5 min`, or `a minute`. */
function spanOf(rows: readonly Row[]): string {
  const times = rows.map(({ created_at }) => Date.parse(created_at));
  const span = shortTime(Math.max(...times) - Math.min(...times));
  return span === 'now' ? 'a minute' : span;
}

/** Cases of one device, as one row that opens. */
export function CaseGroup({ rows, canPick }: { readonly rows: Group<Row>; readonly canPick: boolean }) {
  const isOpen = useSignal(false);
  const ids = rows.filter(({ left }) => !left).map(({ case_id }) => case_id);
  const users = new Set(rows.map(({ user_id }) => user_id));
  const name = `${plural(rows.length, 'case')} of one device within ${spanOf(rows)}`;
  return (
    <li class="group">
      <div class="pickable">
        {canPick && (
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={ids.length > 0 && ids.every((id) => selection.value.has(id))}
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
