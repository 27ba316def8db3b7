import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import {
  type ErasedPerson,
  type ErasureWalk,
  type Leaving,
  mayWalk,
  newWalk,
  type Trace,
  type TracePage,
  WAITING,
} from '../../domain/personal-data/erasure';

/** Dependencies of carrying out erasures. */
export interface RunErasuresDeps {
  readonly clock: { now(): number };
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly erasures: {
    /** Everybody whose erasure is pending, oldest first. */
    pending(): Promise<readonly ErasedPerson[]>;
    /** Puts somebody into a walk, or has them wait for one. */
    join(person: ErasedPerson, walk: string): Promise<void>;
    walk(): Promise<ErasureWalk | undefined>;
    saveWalk(walk: ErasureWalk): Promise<void>;
    progress(person: ErasedPerson, lookedAt: number, erased: Readonly<Record<string, number>>): Promise<void>;
    complete(person: ErasedPerson, lookedAt: number, at: string): Promise<void>;
  };
  readonly traces: {
    /** Items that keys and the history index lead to. */
    ofPerson(
      person: ErasedPerson,
      pseudonyms: Pseudonyms,
      position: string | undefined,
      nowMs: number,
    ): Promise<TracePage>;
    page(
      people: readonly ErasedPerson[],
      pseudonyms: Pseudonyms,
      position: string | undefined,
      nowMs: number,
    ): Promise<TracePage>;
    erase(trace: Trace, nowMs: number): Promise<void>;
    /** Erases that somebody was seen with an entity; whether they were. */
    eraseLink(person: ErasedPerson, entity: string): Promise<boolean>;
    /** Erases an entity if nobody but the person who leaves was seen with it, all but evidence of fraud if that stays; whether it did. */
    eraseIfAlone(accountId: string, entity: string, nowMs: number, leaving?: Leaving): Promise<boolean>;
  };
}

/** The result of a run. */
export interface ErasureReport {
  readonly completed: number;
  readonly pending: number;
  readonly looked_at: number;
}

interface Run {
  readonly deps: RunErasuresDeps;
  readonly pseudonyms: Pseudonyms;
  readonly waiting: ErasedPerson[];
  readonly seenWith: Map<string, Set<string>>;
  readonly report: { completed: number; pending: number; looked_at: number };
}

interface Turn {
  readonly person: ErasedPerson;
  position: string | undefined;
}

/**
 * Erases what keys lead to, account by account in turn, and then walks through the whole table for the rest of everybody at
 * once: messages, responses, and what is older than the history. The next run continues where time ran out, and
 * everything may be repeated: an item that two runs meet is erased once.
 *
 *   pending ── keys ──> waiting ── all who wait, of all accounts ──> in a walk ──> completed
 */
export async function runErasures(deps: RunErasuresDeps, deadlineMs: number): Promise<ErasureReport> {
  const pending = await deps.erasures.pending();
  const report = { completed: 0, pending: pending.length, looked_at: 0 };
  if (pending.length === 0) return report;
  const waiting = pending.filter(({ walk }) => walk !== undefined);
  const run = { deps, pseudonyms: await deps.pseudonyms(), waiting, seenWith: new Map(), report };
  const lines = linesOf(pending.filter(({ walk }) => walk === undefined));
  const startMs = deps.clock.now();
  // Half of the time: somebody with a million payments must not keep everybody else from the walk.
  await eraseByKeys(run, lines, startMs + (deadlineMs - startMs) / 2);
  await walkOn(run, deadlineMs);
  await eraseByKeys(run, lines, deadlineMs);
  return report;
}

function linesOf(people: readonly ErasedPerson[]): Turn[][] {
  const lines = new Map<string, Turn[]>();
  for (const person of people) {
    const line = lines.get(person.account_id) ?? [];
    line.push({ person, position: undefined });
    lines.set(person.account_id, line);
  }
  return [...lines.values()];
}

/** A page of each account's first person in turn: an account with many people, or somebody with many payments, delays no other account. */
async function eraseByKeys(run: Run, lines: readonly Turn[][], deadlineMs: number): Promise<void> {
  const { deps, pseudonyms, waiting } = run;
  while (lines.some(({ length }) => length > 0)) {
    for (const line of lines) {
      const [turn] = line;
      if (turn === undefined) continue;
      const nowMs = deps.clock.now();
      if (nowMs >= deadlineMs) return;
      const { traces, count, next } = await deps.traces.ofPerson(turn.person, pseudonyms, turn.position, nowMs);
      await eraseTraces(run, turn.person, traces, count);
      run.report.looked_at += count;
      turn.position = next;
      if (next !== undefined) continue;
      await deps.erasures.join(turn.person, WAITING);
      waiting.push({ ...turn.person, walk: WAITING });
      line.shift();
    }
  }
}

/** Continues the walk, or begins one if somebody waits for it and there were not too many. */
async function walkOn(run: Run, deadlineMs: number): Promise<void> {
  const { deps, pseudonyms, waiting, seenWith, report } = run;
  const { erasures, traces, clock } = deps;
  const last = await erasures.walk();
  let walk = last;
  let people = waiting.filter((person) => person.walk === last?.begun_at);
  if (walk === undefined || people.length === 0) {
    if (waiting.length === 0 || !mayWalk(last, clock.now())) return;
    walk = newWalk(last, clock.now());
    people = waiting;
    // Who is in it is stored before it begins: a run that continues it must not take those for members who came later.
    for (const person of people) await erasures.join(person, walk.begun_at);
    await erasures.saveWalk(walk);
  }
  const byId = new Map(people.map((person) => [person.erasure_id, person]));
  for (;;) {
    if (clock.now() >= deadlineMs) return;
    const page = await traces.page(people, pseudonyms, walk.position, clock.now());
    for (const [id, mine] of tracesByErasure(page.traces)) {
      const person = byId.get(id);
      if (person) await eraseTraces(run, person, mine, 0);
    }
    report.looked_at += page.count;
    walk = { ...walk, looked_at: walk.looked_at + page.count, position: page.next };
    if (page.next === undefined) break;
    await erasures.saveWalk(walk);
  }
  for (const person of people) {
    // The stream may have linked them while their screenings were being erased. From now on it finds none.
    for (const entity of seenWith.get(person.erasure_id) ?? []) await traces.eraseLink(person, entity);
    await erasures.complete(person, walk.looked_at, new Date(clock.now()).toISOString());
    report.completed += 1;
  }
}

function tracesByErasure(traces: readonly Trace[]): Map<string, Trace[]> {
  const found = new Map<string, Trace[]>();
  for (const trace of traces) found.set(trace.erasure_id, [...(found.get(trace.erasure_id) ?? []), trace]);
  return found;
}

/**
 * Devices, addresses and attributes that only this person used are theirs too; what others share stays. They go before
 * what names them, and their link goes last: a run that dies in between finds them again.
 */
async function eraseTraces(
  { deps, seenWith }: Run,
  person: ErasedPerson,
  traces: readonly Trace[],
  lookedAt: number,
): Promise<void> {
  const erased: Record<string, number> = {};
  const count = (kind: string): void => {
    erased[kind] = (erased[kind] ?? 0) + 1;
  };
  const seen = seenWith.get(person.erasure_id) ?? new Set();
  const unlinked = new Set<string>();
  for (const entity of new Set(traces.flatMap(({ entities }) => entities))) {
    seen.add(entity);
    if (await deps.traces.eraseIfAlone(person.account_id, entity, deps.clock.now(), person)) count('entity');
    if (await deps.traces.eraseLink(person, entity)) {
      unlinked.add(entity);
      count('link');
    }
  }
  seenWith.set(person.erasure_id, seen);
  for (const trace of traces) {
    await deps.traces.erase(trace, deps.clock.now());
    const isCounted = trace.kind === 'link' && trace.entities.some((entity) => unlinked.has(entity));
    if (!isCounted) count(trace.kind);
  }
  if (traces.length > 0 || lookedAt > 0) await deps.erasures.progress(person, lookedAt, erased);
}
