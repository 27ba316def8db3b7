import type { EntityHistory } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { repeatedScore } from '../../domain/entities/stopped-mark';
import type { ScreeningFacts } from '../../domain/screening/screening-facts';
import { phoneCountryOf } from '../../domain/screening/subjects/attempt-of';
import type { Prepared } from './prepare';
import type { Readings } from './sources';

/** Everything known about an attempt once trip 1 has returned. */
export function gatherFacts(
  prepared: Pick<Prepared, 'caller' | 'subject' | 'ip' | 'email' | 'attempt' | 'refs'>,
  { histories: { recorded }, networks }: Pick<Readings, 'histories' | 'networks'>,
  observed: ScreeningFacts['observed'],
): ScreeningFacts {
  const { caller, subject, ip, email, attempt, refs } = prepared;
  const historyOf = (wanted: EntityRef | undefined) => recorded.find(({ ref }) => ref === wanted)?.history;
  const ofKind = (kind: EntityRef['kind']) => historyOf(refs.find((ref) => ref.kind === kind));
  const attributes: { key: string; history: EntityHistory | undefined }[] = [];
  for (const ref of refs) {
    if (ref.kind === 'attribute') attributes.push({ key: ref.name, history: historyOf(ref) });
  }
  const user = ofKind('user');
  const facts = {
    attempt,
    account_id: caller.account_id,
    payment_method: subject.payment_method,
    billing_country: subject.billing_address?.country,
    has_billing_address: subject.billing_address !== undefined,
    ip,
    email,
    phone_country: phoneCountryOf(subject, ip),
    user,
    repeats_score: repeatedScore({ attempt, refs }, user),
    device: ofKind('device'),
    ip_history: ofKind('ip'),
    attributes,
    network_history: networks.facts.network_history,
    asn_history: networks.facts.asn_history,
    email_pattern_history: networks.facts.email_pattern_history,
    observed,
  };
  const { agent } = subject;
  return agent === undefined ? facts : { ...facts, agent_verified: agent.verified, agent_history: ofKind('agent') };
}
