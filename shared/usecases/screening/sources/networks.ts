import type { Attempt, EntityHistory } from '../../../domain/entities/entity-history';
import type { EntityRef } from '../../../domain/entities/entity-ref';
import type { ScreeningFacts } from '../../../domain/screening/screening-facts';
import { EMAIL_PATTERN } from '../../../domain/screening/subjects/attempt-of';
import { NOTHING_MISSING, type Reading, type Source } from './source';

/** A network as it was before an attempt. */
export interface NetworkReading {
  readonly ref: EntityRef;
  /** Undefined if nobody keeps histories of networks. */
  readonly history: EntityHistory | undefined;
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

/** The networks of an attempt's IP and the pattern of its email address, as far as they could be read. */
export interface NetworksReading extends Reading {
  readonly facts: Pick<ScreeningFacts, 'network_history' | 'asn_history' | 'email_pattern_history'>;
  readonly readings: readonly NetworkReading[];
}

const NOTHING: NetworksReading = { facts: {}, missing: NOTHING_MISSING, readings: [] };

/** The networks that an attempt comes from. They count only unusual attempts, so reading does not count it yet. */
export const networkSource: Source<'networks', { readonly networks: NetworkPort }, NetworksReading> = {
  name: 'networks',
  read({ networks }, { caller, networks: refs, attempt }, limitMs) {
    if (refs.length === 0) return NOTHING;
    return networks.read(caller.account_id, refs, attempt, limitMs).then((readings) => {
      const find = (name: string) => readings.find(({ ref }) => ref.name === name);
      return {
        facts: {
          network_history: find('network')?.history,
          asn_history: find('asn')?.history,
          email_pattern_history: find(EMAIL_PATTERN)?.history,
        },
        missing:
          refs.length === readings.length
            ? NOTHING_MISSING
            : refs.map(({ name }) => name).filter((name) => find(name) === undefined),
        readings,
      };
    });
  },
  without: ({ networks }) => ({ facts: {}, missing: networks.map(({ name }) => name), readings: [] }),
  standIn: {
    networks: {
      read: async (_accountId, refs) => refs.map((ref) => ({ ref, history: undefined, record: async () => undefined })),
    },
  },
};
