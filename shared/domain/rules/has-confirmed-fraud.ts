import type { ScreeningFacts } from '../screening/screening-facts';

/** Whether a person has confirmed a fraud of this very user, device or card: what a plain `allow` must not beat. */
export function hasConfirmedFraud({
  user,
  device,
  attributes,
}: Pick<ScreeningFacts, 'user' | 'device' | 'attributes'>): boolean {
  const card = attributes.find(({ key }) => key === 'card_fingerprint')?.history;
  return [user, device, card].some((history) => history !== undefined && history.labels.fraud > 0);
}
