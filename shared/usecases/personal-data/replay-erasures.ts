import { erasureMark, type Leaving, type Trace } from '../../domain/personal-data/erasure';

/** A completed erasure, as it is remembered. */
export interface RememberedErasure {
  readonly erasure_id: string;
  readonly account_id: string;
  readonly mark: string;
  readonly requested_at_ms: number;
  readonly evidence_until_ms?: number | undefined;
}

/** Whose an item is: the erasure that it falls under, if any. */
export type ErasureLookup = (accountId: string, user: string) => RememberedErasure | undefined;

/** Dependencies of replaying erasures. */
export interface ReplayErasuresDeps {
  readonly clock: { now(): number };
  /** Erasures that were completed: of the table in use, which may be another than the restored one. */
  readonly remembered: () => AsyncIterable<RememberedErasure>;
  /** The items of the restored table that fall under an erasure, page by page. */
  readonly pages: (lookup: ErasureLookup, nowMs: number) => AsyncIterable<readonly Trace[]>;
  readonly erase: (trace: Trace, nowMs: number) => Promise<void>;
  readonly eraseIfAlone: (accountId: string, entity: string, nowMs: number, leaving: Leaving) => Promise<boolean>;
}

/** Erases again, in a restored table, everybody who was erased since the backup. Returns how many items it erased. */
export async function replayErasures(deps: ReplayErasuresDeps): Promise<{ erasures: number; erased: number }> {
  const nowMs = deps.clock.now();
  const known = new Map<string, RememberedErasure>();
  for await (const erasure of deps.remembered()) known.set(erasure.mark, erasure);
  const lookup: ErasureLookup = (accountId, user) => known.get(erasureMark(accountId, user));
  const found = new Map<string, readonly [accountId: string, entity: string, untilMs: number | undefined]>();
  let erased = 0;
  if (known.size > 0) {
    for await (const traces of deps.pages(lookup, nowMs)) {
      for (const trace of traces) {
        const { account_id, evidence_until_ms } = trace;
        for (const entity of trace.entities)
          found.set(`${account_id}\n${entity}`, [account_id, entity, evidence_until_ms]);
        await deps.erase(trace, nowMs);
        erased += 1;
      }
    }
  }
  for (const [accountId, entity, evidence_until_ms] of found.values()) {
    if (await deps.eraseIfAlone(accountId, entity, nowMs, { evidence_until_ms })) erased += 1;
  }
  return { erasures: known.size, erased };
}
