import type { Caller } from '../../domain/accounts/account';
import type { Attempt } from '../../domain/entities/entity-history';
import { type EntityNames, type EntityRef, entityNames } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import type { EmailFacts, IntelligenceTable } from '../../domain/intelligence/intelligence-table';
import type { IpFacts } from '../../domain/ip/ip-table';
import type { Decision } from '../../domain/screening/decide';
import { sandboxDecision, withoutSandboxAttribute } from '../../domain/screening/sandbox-decision';
import {
  attemptOf,
  emailPatternOf,
  networksOf,
  ownAttribute,
  type Parties,
  partiesOf,
  type ScreenedAs,
  type Subject,
} from '../../domain/screening/subjects/attempt-of';
import type { Stage } from '../../domain/stage';

/** Dependencies of preparing a screening. */
export interface PreparePorts {
  /** In the sandbox, a request may force its decision. */
  readonly stage: Stage;
  /** The current table of offline knowledge about addresses and domains. */
  readonly intelligence: { current(): IntelligenceTable };
}

/** One try to screen a subject: its id and time, and the `Idempotency-Key` it came with. */
export interface ScreeningRequest extends ScreenedAs {
  /** The key was taken over from a request that died: it does not have to be claimed again. */
  readonly isClaimed: boolean;
}

/** Everything that is known before the first trip. */
export interface Prepared {
  readonly caller: Caller;
  readonly request: ScreeningRequest;
  /** Without the attribute that forces a decision. */
  readonly subject: Subject;
  /** The decision that a sandbox request asks for. Nobody takes part in such a screening: it has no history. */
  readonly forced: Decision | undefined;
  readonly ip: IpFacts | undefined;
  /** Of the customer's own email address. */
  readonly email: EmailFacts | undefined;
  /** The version of the table that `ip` and `email` are from. */
  readonly intelligence: string;
  readonly pseudonyms: Pseudonyms;
  readonly names: EntityNames;
  readonly attempt: Attempt;
  readonly refs: readonly EntityRef[];
  /** The networks of its IP address and the pattern of its email address. */
  readonly networks: readonly EntityRef[];
}

const NOBODY: Parties = { refs: [], card: undefined };

/** Says what is asked: who takes part, in what, and where from. */
export function prepare(
  { stage, intelligence }: PreparePorts,
  { caller, pseudonyms }: Pick<Prepared, 'caller' | 'pseudonyms'>,
  sent: Subject,
  request: ScreeningRequest,
): Prepared {
  const { account_id, settings } = caller;
  const forced = sandboxDecision(stage, sent.custom_attributes);
  const subject = withoutSandboxAttribute(sent);
  const table = intelligence.current();
  const ip = subject.ip_address === undefined ? undefined : table.lookup(subject.ip_address);
  const address = ownAttribute(subject, 'email');
  const email = address === undefined ? undefined : table.email(address);
  const names = entityNames(account_id, pseudonyms);
  const parties = forced ? NOBODY : partiesOf(names, subject, ip, settings);
  const attempt = attemptOf(subject, request, ip, parties);
  const networks = forced ? [] : networksOf(names, subject.ip_address, ip);
  if (!forced) networks.push(...emailPatternOf(names, subject, settings));
  const { refs } = parties;
  const from = { ip, email, intelligence: table.description.version };
  return { caller, request, subject, forced, ...from, pseudonyms, names, attempt, refs, networks };
}
