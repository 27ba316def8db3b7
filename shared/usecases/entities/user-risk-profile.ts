import type { Caller } from '../../domain/accounts/account';
import type { Declarations } from '../../domain/declarations/declaration';
import type { Attempt, EntityProfile } from '../../domain/entities/entity-history';
import { entityNames, pseudonymOf } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { notFound } from '../../domain/errors';
import type { RiskProfile } from '../../domain/screening/risk-profile';
import { screen } from '../../domain/screening/screen';

/** Dependencies of a risk profile. */
export interface RiskProfileDeps {
  readonly clock: { now(): number };
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly entities: {
    profile(accountId: string, kind: 'user', entity: string, nowMs: number): Promise<EntityProfile | undefined>;
  };
  /** The accounts' declarations: read only if the user has events of an account's own types. */
  readonly books: { book(accountId: string): Promise<{ readonly declarations: Declarations }> };
}

/** Events by type, with those of the account's own types; of a type that was deleted only the total tells. */
async function eventsOf(
  { books }: RiskProfileDeps,
  { account_id }: Caller,
  { events, own_events }: EntityProfile,
): Promise<EntityProfile['events']> {
  if (own_events === undefined) return events;
  const { event_types } = (await books.book(account_id)).declarations;
  const named = event_types.flatMap(({ name, number }) => {
    const count = own_events.get(number);
    return count === undefined ? [] : [[name, count] as const];
  });
  const total = [...own_events.values()].reduce((sum, count) => sum + count, events.total);
  return { total, by_type: { ...events.by_type, ...Object.fromEntries(named) } };
}

/** A user's current risk, from the user's own history alone: one read. */
export async function userRiskProfile(deps: RiskProfileDeps, caller: Caller, userId: string): Promise<RiskProfile> {
  const nowMs = deps.clock.now();
  const ref = entityNames(caller.account_id, await deps.pseudonyms()).user(userId);
  const history = await deps.entities.profile(caller.account_id, 'user', ref.key, nowMs);
  const { first_seen_ms, last_seen_ms } = history ?? {};
  if (history === undefined || first_seen_ms === undefined || last_seen_ms === undefined) throw notFound('user');

  // Scored as if the user were now doing the least remarkable thing possible.
  const attempt: Attempt = {
    attempt_id: '',
    at_ms: nowMs,
    action: 'profile_update',
    outcome: 'succeeded',
    user_id: pseudonymOf(ref),
  };
  const facts = { attempt, has_billing_address: false, user: history, attributes: [] };
  const { risk_score, risk_level, signals } = screen(facts, caller.settings);

  const events = await eventsOf(deps, caller, history);
  const shown = { ...history, events, first_seen_ms, last_seen_ms };
  return { user_id: userId, risk_score, risk_level, signals, history: shown };
}
