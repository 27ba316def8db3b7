import type { ComponentChildren } from 'preact';
import type { CaseData } from '../state/case-view';
import { userAddress } from '../state/route';
import { fullTime } from '../text/time';
import { money, nameOf, sentence, visible } from '../text/words';
import { Panel } from './panel';

/** Names and values, in pairs. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [string, ComponentChildren]> }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** What determined the decision, in words. */
const decidedBy = ({ kind, name }: CaseData['decision']['decided_by']): string =>
  name === null ? sentence(kind) : `${sentence(kind)} ${name}`;

/** The attempt itself and the service's decision on it. */
export function CaseFacts({ data: { reviewCase, decision } }: { readonly data: CaseData }) {
  const subject: ReadonlyArray<readonly [string, ComponentChildren]> =
    decision.amount === undefined
      ? [['Event', nameOf(decision.event_type ?? 'event')]]
      : [['Amount', money(decision.amount, decision.currency ?? '')]];
  return (
    <Panel title={reviewCase.subject_type === 'transaction' ? 'Transaction' : 'Event'} class="facts-panel">
      <Facts
        facts={[
          ...subject,
          [
            'User',
            <a key="user" href={userAddress(reviewCase.user_id)}>
              <code>{visible(reviewCase.user_id)}</code> links and history
            </a>,
          ],
          ...Object.entries(decision.displayed ?? {}).map(([key, value]) => [nameOf(key), visible(value)] as const),
          ['Screened', fullTime(decision.decided_at)],
          ['Automated decision', nameOf(decision.automated_decision)],
          ['Decided by', decidedBy(decision.decided_by)],
          ['Current decision', nameOf(decision.decision)],
          ['Model', <code key="model">{decision.model_version}</code>],
          ['ID', <code key="id">{reviewCase.subject_id}</code>],
          ['Decision ID', <code key="decision">{decision.decision_id}</code>],
        ]}
      />
    </Panel>
  );
}
