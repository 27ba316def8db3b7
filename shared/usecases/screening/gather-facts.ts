import type { EntityHistory } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { repeatedScore } from '../../domain/entities/stopped-mark';
import type { IpFacts } from '../../domain/ip/ip-table';
import type { ScreeningFacts } from '../../domain/screening/screening-facts';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import type { Recording } from './screening-compensation';

/** What is known about an attempt once trip 1 has returned. */
export function gatherFacts(
  subject: Subject,
  ip: IpFacts | undefined,
  known: Pick<ScreeningFacts, 'account_id' | 'observed'> & {
    readonly networks: Pick<ScreeningFacts, 'network_history' | 'asn_history' | 'email_pattern_history'>;
  },
  { attempt, refs, recorded }: Recording,
): ScreeningFacts {
  const historyOf = (wanted: EntityRef | undefined) => recorded.find(({ ref }) => ref === wanted)?.history;
  const ofKind = (kind: EntityRef['kind']) => historyOf(refs.find((ref) => ref.kind === kind));
  const attributes: { key: string; history: EntityHistory | undefined }[] = [];
  for (const ref of refs) {
    if (ref.kind === 'attribute') attributes.push({ key: ref.name, history: historyOf(ref) });
  }
  const user = ofKind('user');
  const facts = {
    attempt,
    account_id: known.account_id,
    payment_method: subject.payment_method,
    billing_country: subject.billing_address?.country,
    has_billing_address: subject.billing_address !== undefined,
    ip,
    user,
    repeats_score: repeatedScore({ attempt, refs }, user),
    device: ofKind('device'),
    ip_history: ofKind('ip'),
    attributes,
    network_history: known.networks.network_history,
    asn_history: known.networks.asn_history,
    email_pattern_history: known.networks.email_pattern_history,
    observed: known.observed,
  };
  const { agent } = subject;
  return agent === undefined ? facts : { ...facts, agent_verified: agent.verified, agent_history: ofKind('agent') };
}
