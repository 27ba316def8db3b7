import { labelEndMs } from '../../../domain/accounts/account';
import { isSampled } from '../../../domain/screening/subjects/record-members';
import { isForced, type ScreeningRecord } from '../../../domain/screening/subjects/screening-record';
import { type Effect, NO_WRITES } from './effect';

/** The sample of the traffic that training learns from. */
export interface SamplePorts {
  readonly samples: {
    keep(accountId: string, record: ScreeningRecord, untilMs: number, limitMs: number): Promise<void>;
  };
}

/** Keeps a sample of the traffic for training. */
export const sampleEffect: Effect<SamplePorts> = {
  name: 'samples',
  mayBeLost: true,
  write({ samples }, { prepared: { caller }, record }, limitMs) {
    if (!isSampled(record) || isForced(record)) return NO_WRITES;
    return [samples.keep(caller.account_id, record, labelEndMs(caller.settings, record), limitMs)];
  },
  standIn: { samples: { keep: async () => undefined } },
};
