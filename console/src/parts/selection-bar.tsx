import type { Outcome } from '../api/types';
import { announce } from '../state/announce';
import type { Row } from '../state/queue';
import { pick, selection } from '../state/selection';
import { session } from '../state/session';
import { useShortcuts } from '../state/shortcuts';
import { decide, GRACE_MS } from '../state/verdicts';
import { plural } from '../text/words';
import { CheckIcon, CrossIcon } from './icons';
import { Shortcut } from './shortcut';

/** Decides all cases that are picked in the list at once. */
export function SelectionBar({ rows }: { readonly rows: readonly Row[] }) {
  const picked = rows.filter(({ case_id, left }) => !left && selection.value.has(case_id));
  const settle = (status: Outcome): void => {
    if (!session.value || picked.length === 0) return;
    decide(picked, status, session.value.analystId);
    pick([]);
    const word = status === 'approved' ? 'Approving' : 'Rejecting';
    announce(`${word} ${plural(picked.length, 'case')} in ${GRACE_MS / 1000} seconds. Press u to undo.`);
  };
  useShortcuts(picked.length > 0 ? { a: () => settle('approved'), r: () => settle('rejected') } : {});
  if (picked.length === 0) return null;
  return (
    <section class="decision-bar" aria-label="Selected cases">
      <p class="why-not">{plural(picked.length, 'case')} selected</p>
      <button type="button" class="button approve" onClick={() => settle('approved')}>
        <CheckIcon /> Approve <span class="wide">· legitimate</span> <Shortcut of="a" />
      </button>
      <button type="button" class="button reject" onClick={() => settle('rejected')}>
        <CrossIcon /> Reject <span class="wide">· fraud</span> <Shortcut of="r" />
      </button>
      <button type="button" class="button" onClick={() => pick([])}>
        Clear
      </button>
    </section>
  );
}
