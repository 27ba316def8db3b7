import { DEFAULT_SETTINGS } from '../../domain/accounts/account';
import { DomainError } from '../../domain/errors';
import { isFromAdyen, readAdyen } from '../../domain/outcomes/processors/adyen';
import { independentReports } from '../../domain/outcomes/processors/independent-reports';
import {
  type Provider,
  type ReportedOutcome,
  UnreadableNotification,
} from '../../domain/outcomes/processors/notification';
import { isFromStripe, readStripe } from '../../domain/outcomes/processors/stripe';
import type { OutsideOutcomesDeps } from './outside-outcomes-port';
import { recordOutsideOutcome } from './record-outside-outcome';

/** A processor's address here, as the administrator set it up. */
export interface InboundAddress {
  readonly inbound_id: string;
  readonly account_id: string;
  readonly provider: Provider;
  /** The processor's signing secret. */
  readonly secret: string;
}

/** A verified body that nobody could read. */
export interface SetAside {
  readonly ulid: string;
  readonly at_ms: number;
  readonly reason: string;
  readonly body: string;
}

/** Dependencies of receiving notifications. */
export interface ReceiveNotificationDeps extends OutsideOutcomesDeps {
  readonly inbound: {
    find(inboundId: string): Promise<InboundAddress | undefined>;
    setAside(address: InboundAddress, aside: SetAside): Promise<void>;
  };
}

/** A request to an inbound address. */
export interface Notification {
  readonly provider: string;
  readonly inbound_id: string;
  readonly body: string;
  readonly signature: string | undefined;
}

/** The result of a notification, for the log. */
export interface Received {
  readonly account_id: string;
  readonly applied: number;
  readonly held: number;
  /** Why it was set aside; undefined if it was read. */
  readonly unreadable?: string | undefined;
}

const INBOUND_ID = /^in_[0-9A-HJKMNP-TV-Z]{26}$/;

const refused = (): DomainError =>
  new DomainError('unauthorized', 'Unknown address or invalid signature. Check the signing secret of this endpoint.');

function isGenuine({ provider, secret }: InboundAddress, { body, signature }: Notification, nowMs: number): boolean {
  switch (provider) {
    case 'stripe':
      return isFromStripe(body, signature, secret, nowMs);
    case 'adyen':
      return isFromAdyen(body, secret);
    default:
      return provider satisfies never;
  }
}

const READ = { stripe: readStripe, adyen: readAdyen } as const satisfies Record<
  Provider,
  (body: string) => ReportedOutcome[]
>;

/**
 * Takes in what a payment processor sends. Without its signature, a 401 that tells nothing. What it reports becomes
 * outcomes, exactly once however often it is sent; what it says but nobody can read is set aside for a person, because
 * sending it again would not help; everything else is none of our business.
 */
export async function receiveNotification(deps: ReceiveNotificationDeps, sent: Notification): Promise<Received> {
  const nowMs = deps.clock.now();
  const address = INBOUND_ID.test(sent.inbound_id) ? await deps.inbound.find(sent.inbound_id) : undefined;
  if (!address || address.provider !== sent.provider || !isGenuine(address, sent, nowMs)) throw refused();
  const { account_id, inbound_id } = address;
  const caller = { account_id, key_id: inbound_id, settings: DEFAULT_SETTINGS };
  const received = { account_id, applied: 0, held: 0 };
  const record = async (reports: readonly ReportedOutcome[]): Promise<void> => {
    for (const reported of reports) {
      const { subject_id } = await recordOutsideOutcome(deps, caller, reported);
      received[subject_id === null ? 'held' : 'applied'] += 1;
    }
  };
  try {
    const groups = independentReports(READ[address.provider](sent.body));
    const failed = (await Promise.allSettled(groups.map(record))).filter(({ status }) => status === 'rejected');
    const errors = failed.map((each) => (each as PromiseRejectedResult).reason as unknown);
    // One that sending it again may cure comes first: what was recorded is not recorded again.
    if (errors.length > 0) throw errors.find((error) => unreadableReason(error) === undefined) ?? errors[0];
    return received;
  } catch (error) {
    const reason = unreadableReason(error);
    if (reason === undefined) throw error;
    await deps.inbound.setAside(address, { ulid: deps.newUlid(nowMs), at_ms: nowMs, reason, body: sent.body });
    return { ...received, unreadable: reason };
  }
}

/** Why repeating the notification cannot help; undefined if it can. */
function unreadableReason(error: unknown): string | undefined {
  if (error instanceof UnreadableNotification) return error.message;
  return error instanceof DomainError && error.code === 'invalid_request' ? 'refused' : undefined;
}
