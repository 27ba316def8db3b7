import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Decision, Evidence } from '../api/types';
import { declarationsView, openDeclarations } from '../state/declarations';
import { evidenceView, openEvidence } from '../state/loadable';
import { addressOf, caseAddress, userAddress } from '../state/route';
import { session } from '../state/session';
import { countryName, fullTime, money, nameOf, networkText, sentence, visible, wholeNumber } from '../text/words';
import { Failed, Panel, Skeleton } from './panel';

type Fact = readonly [name: string, value: ComponentChildren];

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Leads to everything that was sent the same. */
const Sought = ({ value, by = 'seen_with' }: { readonly value: string; readonly by?: string }) => (
  <a href={addressOf({ page: 'find', text: value, by })}>{visible(value)}</a>
);

/** Whether the values of an attribute are remembered, so that one leads somewhere. */
const isEntity = (attribute: string): boolean =>
  declarationsView.value.data?.attributes.some(({ key, entity }) => key === attribute && entity) === true;

function sentFacts(sent: Evidence): Fact[] {
  const { ip_address, payment_method, billing_country, device_fingerprint, references = [], attributes = {} } = sent;
  const network = networkText(sent);
  return [
    ...(ip_address ? [['IP address', <Sought key="ip" value={ip_address} />] as const] : []),
    ...(network ? [['Network', network] as const] : []),
    ...(payment_method ? [['Payment method', sentence(payment_method)] as const] : []),
    ...(billing_country ? [['Billing country', countryName(billing_country)] as const] : []),
    ...references.map(
      (each, at) =>
        [at === 0 ? 'Reference' : `Reference ${at + 1}`, <Sought key={each} value={each} by="reference" />] as const,
    ),
    ...(device_fingerprint ? [['Device', <Sought key="device" value={device_fingerprint} />] as const] : []),
    ...Object.entries(attributes).map(
      ([key, value]) => [nameOf(key), isEntity(key) ? <Sought key={key} value={value} /> : visible(value)] as const,
    ),
  ];
}

/** The request's values, as far as they were kept and the analyst's key may see them. */
export function SentPanel({ decisionId }: { readonly decisionId: string }) {
  const open = (): void => void openEvidence(decisionId, session.value?.analystId ?? '');
  useEffect(open, [decisionId]);
  useEffect(() => {
    if (!declarationsView.value.data) void openDeclarations();
  }, []);
  const { data, failure } = evidenceView.value;
  const shown = data?.decision_id === decisionId ? data : undefined;
  return (
    <Panel title="What was sent" class="facts-panel sent">
      {shown && <Facts facts={sentFacts(shown)} />}
      {shown && !shown.kept && <p class="muted">Nothing was kept of what was sent.</p>}
      {shown?.withheld && <p class="muted">Your key does not show what would name somebody.</p>}
      {shown?.kept && !shown.withheld && <p class="muted">This view was recorded.</p>}
      {!shown && !failure && <Skeleton lines={4} label="Loading what was sent" />}
      {!shown && failure && <Failed failure={failure} retry={open} />}
    </Panel>
  );
}

const decidedBy = ({ kind, name }: Decision['decided_by']): string =>
  name === null ? sentence(kind) : `${sentence(kind)} ${name}`;

const listed = (name: string, values: readonly string[]): Fact[] =>
  values.length > 0 ? [[name, values.join(', ')]] : [];

const ruleNames = (rules: Decision['rules']): string[] => rules.map(({ name, action }) => `${name} (${action})`);

/** The attempt itself, the service's decision on it, and what rules, lists and counters saw. */
export function SubjectFacts({ decision }: { readonly decision: Decision }) {
  const { amount, currency = '', event_type, case_id, user_id, agent } = decision;
  const counters = Object.entries(decision.counters ?? {}).map(([name, value]) => `${name} ${wholeNumber(value)}`);
  const operator = agent && `${visible(agent.operator)}${agent.verified ? '' : ' (not verified)'}`;
  return (
    <Panel title={decision.subject_type === 'transaction' ? 'Transaction' : 'Event'} class="facts-panel">
      <Facts
        facts={[
          ...listed('Event', event_type === undefined ? [] : [nameOf(event_type)]),
          ...listed('Amount', amount === undefined ? [] : [money(amount, currency)]),
          [
            'User',
            <a key="user" href={userAddress(user_id)}>
              <code>{visible(user_id)}</code> links and history
            </a>,
          ],
          ...Object.entries(decision.displayed ?? {}).map(([key, value]) => [nameOf(key), visible(value)] as const),
          ['Screened', fullTime(decision.decided_at)],
          ['Automated decision', nameOf(decision.automated_decision)],
          ['Decided by', decidedBy(decision.decided_by)],
          ['Current decision', nameOf(decision.decision)],
          ...listed('Rules that matched', ruleNames(decision.rules)),
          ...listed('Rules in shadow', ruleNames(decision.shadow_rules)),
          ...listed('Lists that matched', decision.lists),
          ...listed('Counters', counters),
          ...listed('Agent', operator ? [operator] : []),
          ['Model', <code key="model">{decision.model_version}</code>],
          ['ID', <code key="id">{decision.subject_id}</code>],
          ['Decision ID', <code key="decision">{decision.decision_id}</code>],
          ...(case_id
            ? [
                [
                  'Case',
                  <a key="case" href={caseAddress(case_id)}>
                    <code>{case_id}</code>
                  </a>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Panel>
  );
}
