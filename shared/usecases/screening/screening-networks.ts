import { countsOnNetworks } from '../../domain/entities/counts-on-networks';
import { countsOnPattern } from '../../domain/entities/counts-on-patterns';
import type { Attempt, EntityHistory } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import type { ScreeningFacts } from '../../domain/screening/screening-facts';
import { EMAIL_PATTERN } from '../../domain/screening/subjects/email-pattern-of';

/** A network as it was before an attempt. */
export interface NetworkReading {
  readonly ref: EntityRef;
  readonly history: EntityHistory;
  /** Counts the attempt on it. */
  record(limitMs: number): Promise<void>;
}

/** Histories of networks, as a screening needs them. */
export interface NetworkPort {
  read(
    accountId: string,
    refs: readonly EntityRef[],
    attempt: Attempt,
    limitMs: number,
  ): Promise<readonly NetworkReading[]>;
}

/** The networks around an attempt's IP and the pattern of its email address, as far as they could be read. */
export interface NetworksRead {
  readonly facts: Pick<ScreeningFacts, 'network_history' | 'asn_history' | 'email_pattern_history'>;
  /** The names of those that could not be read. */
  readonly missing: readonly string[];
  readonly readings: readonly NetworkReading[];
}

const NOTHING: NetworksRead = { facts: {}, missing: [], readings: [] };

/** Reads the networks of an attempt; never rejects, since a screening can do without them. */
export async function readNetworks(
  networks: NetworkPort | undefined,
  accountId: string,
  { attempt, refs }: { readonly attempt: Attempt; readonly refs: readonly EntityRef[] },
  limitMs: number,
): Promise<NetworksRead> {
  if (networks === undefined || refs.length === 0) return NOTHING;
  const readings = await networks.read(accountId, refs, attempt, limitMs).catch(() => []);
  const historyOf = (name: string) => readings.find(({ ref }) => ref.name === name)?.history;
  return {
    facts: {
      network_history: historyOf('network'),
      asn_history: historyOf('asn'),
      email_pattern_history: historyOf(EMAIL_PATTERN),
    },
    missing: refs.map(({ name }) => name).filter((name) => historyOf(name) === undefined),
    readings,
  };
}

/** Counts an attempt on its networks, and on the pattern of its email address, where it counts. Never rejects: one that is lost is one fewer in a crowd. */
export async function recordOnNetworks(
  { readings }: NetworksRead,
  attempt: Attempt,
  circumstances: Parameters<typeof countsOnNetworks>[1],
  limitMs: number,
): Promise<void> {
  const onNetworks = countsOnNetworks(attempt, circumstances);
  const onPattern = countsOnPattern(attempt, circumstances.user);
  const counting = readings.filter(({ ref }) => (ref.name === EMAIL_PATTERN ? onPattern : onNetworks));
  await Promise.allSettled(counting.map((reading) => reading.record(limitMs)));
}
