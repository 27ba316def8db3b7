import { useSignal } from '@preact/signals';
import type { TimelineEntry } from '../api/types';
import { commentProblem, loadTimeline, sendComment, timelineView } from '../state/case-view';
import { session } from '../state/session';
import { money, nameOf, processorText, visible, withoutReturns } from '../text/words';
import { Ago } from './labels';
import { Failed, Panel, Problem, Skeleton } from './panel';

const MAX_COMMENT = 4000;

/** An outcome reported from outside, and whether it counts. */
function reported(entry: TimelineEntry): string {
  const { outcome = 'chargeback', label, amount, currency, in_force, withdrawn } = entry;
  const sum = amount === undefined ? '' : ` of ${money(amount, currency ?? '')}`;
  const what = `${nameOf(outcome)}${sum}`;
  if (outcome === 'authorized' || outcome === 'declined') return `${what}${processorText(entry)}`;
  if (withdrawn) return `${what}, withdrawn: the dispute was won`;
  if (label === 'none' || label === undefined) return outcome === 'chargeback' ? `${what}, not about fraud` : what;
  return in_force
    ? `${what}: counts as ${label === 'fraud' ? 'fraud' : 'legitimate'}`
    : `${what}, outweighed by a person’s decision`;
}

function whatHappened(entry: TimelineEntry): string {
  const { kind, decision, previous_decision, risk_score } = entry;
  switch (kind) {
    case 'outcome':
      return reported(entry);
    case 'screened':
      return `Screened: ${decision ?? ''}, score ${risk_score ?? ''}`;
    case 'case_opened':
      return 'Case opened';
    case 'claimed':
      return 'Claimed the case';
    case 'released':
      return 'Released the case';
    case 'assigned':
      return `Assigned the case to ${visible(entry.text ?? '')}`;
    case 'viewed':
      return 'Looked at what was sent';
    case 'commented':
      return 'Commented';
    case 'resolved':
      return decision === 'block' ? 'Rejected the case' : 'Approved the case';
    case 'reviewed':
      return `Overrode the decision: ${decision ?? ''}`;
    case 'corrected':
      return `Corrected the decision from ${previous_decision ?? ''} to ${decision ?? ''}`;
    case 'expired':
      return 'Case expired';
    default:
      return nameOf(kind);
  }
}

const quoted = ({ kind, text, notes }: TimelineEntry) => (kind === 'assigned' ? undefined : (text ?? notes));

const Entry = ({ entry }: { readonly entry: TimelineEntry }) => (
  <li class={`entry ${entry.kind}`}>
    <p>
      {entry.actor && (
        <>
          <b>{visible(entry.actor)}</b>
          {entry.proven === false && <span class="muted"> (name not proven)</span>}{' '}
        </>
      )}
      {entry.actor ? whatHappened(entry).replace(/^./, (first) => first.toLowerCase()) : whatHappened(entry)}
      {entry.reason_code && (
        <span class="chip">
          {entry.kind === 'outcome' ? `${entry.network ?? 'Code'} ${entry.reason_code}` : nameOf(entry.reason_code)}
        </span>
      )}{' '}
      <span class="muted">
        <Ago since={entry.at} />
      </span>
    </p>
    {quoted(entry) && <blockquote>{quoted(entry)}</blockquote>}
  </li>
);

export function Timeline({ caseId }: { readonly caseId: string }) {
  const text = useSignal('');
  const isBusy = useSignal(false);
  const { data, failure } = timelineView.value;
  const shown = data?.caseId === caseId ? data.entries : undefined;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const said = text.value.trim();
    if (!said || isBusy.value) return;
    isBusy.value = true;
    if (await sendComment(caseId, said)) text.value = '';
    isBusy.value = false;
  };
  return (
    <Panel title="Timeline" class="timeline-panel">
      {!shown && failure && <Failed failure={failure} retry={() => void loadTimeline(caseId)} />}
      {!shown && !failure && <Skeleton lines={3} label="Loading the timeline" />}
      {shown && (
        <ol class="timeline">
          {withoutReturns(shown).map((entry, at) => (
            <Entry key={`${at} ${entry.at}`} entry={entry} />
          ))}
        </ol>
      )}
      {session.value?.canResolve && (
        <form class="comment" onSubmit={(event) => void submit(event)}>
          <textarea
            id="comment"
            rows={1}
            maxLength={MAX_COMMENT}
            aria-label="Comment for your team"
            placeholder="Comment for your team  ( c )"
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
          <button type="submit" class="button small" disabled={isBusy.value}>
            Comment
          </button>
          <Problem>{commentProblem.value}</Problem>
        </form>
      )}
    </Panel>
  );
}
