import { type RelayBatchDeps, relayRecord } from './relay-batch';

/** Dependencies of relaying again, beyond those of relaying. */
export interface HealRelayDeps<Raw> extends Omit<RelayBatchDeps<Raw>, 'setAside'> {
  readonly setAside: { take(): Promise<readonly { readonly raw: Raw; remove(): Promise<void> }[]> };
}

/** The result of relaying again, for metrics. */
export interface HealReport {
  readonly healed: number;
  readonly stillFailing: number;
}

/** Relays what was set aside, in one pass; what fails again stays where it is. */
export async function healRelay<Raw>(deps: HealRelayDeps<Raw>, deadlineMs: number): Promise<HealReport> {
  let [healed, stillFailing] = [0, 0];
  while (deps.clock.now() < deadlineMs) {
    const records = await deps.setAside.take();
    if (records.length === 0) break;
    for (const { raw, remove } of records) {
      try {
        await deps.queue.send(await relayRecord(deps, raw));
        await remove();
        healed++;
      } catch (error) {
        deps.report('a record that was set aside fails again', error);
        stillFailing++;
      }
    }
  }
  return { healed, stillFailing };
}
