import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import type { ErasedPerson, ErasurePass, Trace } from '../../domain/personal-data/erasure';

/** Dependencies of carrying out erasures. */
export interface RunErasuresDeps {
  readonly clock: { now(): number };
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly erasures: {
    pending(): Promise<readonly ErasedPerson[]>;
    pass(): Promise<ErasurePass | undefined>;
    savePass(pass: ErasurePass): Promise<void>;
    progress(
      person: ErasedPerson,
      lookedAt: number,
      erased: Readonly<Record<string, number>>,
      entities: readonly string[],
    ): Promise<void>;
    found(person: ErasedPerson): Promise<readonly string[]>;
    complete(person: ErasedPerson, at: string): Promise<void>;
  };
  readonly traces: {
    page(
      people: readonly ErasedPerson[],
      pseudonyms: Pseudonyms,
      position: string | undefined,
      nowMs: number,
    ): Promise<{ readonly traces: readonly Trace[]; readonly count: number; readonly next: string | undefined }>;
    erase(trace: Trace): Promise<void>;
    eraseLink(person: ErasedPerson, entity: string): Promise<void>;
    eraseIfAlone(accountId: string, entity: string, nowMs: number): Promise<boolean>;
  };
}

/** What a run did. */
export interface ErasureReport {
  readonly completed: number;
  readonly pending: number;
  readonly looked_at: number;
}

/**
 * Walks through the whole table for all pending erasures at once, until nothing is left or time runs out; the next run
 * continues where this one stopped. A walk finds what no index leads to, and everything in it may be repeated: an item
 * that two runs meet is erased once. Who asks while a walk is on waits for the next one.
 */
export async function runErasures(deps: RunErasuresDeps, deadlineMs: number): Promise<ErasureReport> {
  const report = { completed: 0, pending: 0, looked_at: 0 };
  for (;;) {
    const pending = await deps.erasures.pending();
    const begun = await deps.erasures.pass();
    const ids = new Set(begun?.erasure_ids);
    const inPass = pending.filter(({ erasure_id }) => ids.has(erasure_id));
    const people = inPass.length > 0 ? inPass : pending;
    report.pending = pending.length;
    if (people.length === 0) return report;
    let position = inPass.length > 0 ? begun?.position : undefined;
    const erasure_ids = people.map(({ erasure_id }) => erasure_id);
    if (inPass.length === 0) await deps.erasures.savePass({ erasure_ids, position });
    do {
      if (deps.clock.now() >= deadlineMs) return report;
      const { count, next } = await erasePage(deps, people, position);
      report.looked_at += count;
      position = next;
      if (next !== undefined) await deps.erasures.savePass({ erasure_ids, position });
    } while (position !== undefined);
    for (const person of people) {
      await finish(deps, person);
      report.completed += 1;
    }
  }
}

async function erasePage(deps: RunErasuresDeps, people: readonly ErasedPerson[], position: string | undefined) {
  const nowMs = deps.clock.now();
  const { traces, count, next } = await deps.traces.page(people, await deps.pseudonyms(), position, nowMs);
  for (const person of people) {
    const mine = traces.filter(({ erasure_id }) => erasure_id === person.erasure_id);
    // Remembered before what names them is erased: a run that dies in between must not lose them.
    const entities = [...new Set(mine.flatMap((trace) => trace.entities))];
    if (entities.length > 0) await deps.erasures.progress(person, 0, {}, entities);
    const erased: Record<string, number> = {};
    for (const trace of mine) {
      await deps.traces.erase(trace);
      erased[trace.kind] = (erased[trace.kind] ?? 0) + 1;
    }
    await deps.erasures.progress(person, count, erased, []);
  }
  return { count, next };
}

/** Devices, addresses and attributes that only this person used are theirs too; what others share stays. */
async function finish(deps: RunErasuresDeps, person: ErasedPerson): Promise<void> {
  const nowMs = deps.clock.now();
  let alone = 0;
  for (const entity of await deps.erasures.found(person)) {
    // The stream is a minute behind: it may have linked them after the walk had passed. From now on it finds no screening.
    await deps.traces.eraseLink(person, entity);
    if (await deps.traces.eraseIfAlone(person.account_id, entity, nowMs)) alone += 1;
  }
  await deps.erasures.progress(person, 0, { entity: alone }, []);
  await deps.erasures.complete(person, new Date(nowMs).toISOString());
}
