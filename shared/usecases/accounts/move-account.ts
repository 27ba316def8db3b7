import {
  type AccountMove,
  LAST_SCREENING_MS,
  LEASE_MS,
  moveDeadlineMs,
  NOTICE_MS,
} from '../../domain/accounts/account-move';
import { DomainError } from '../../domain/errors';

/** What became of some items at the other end. */
export interface Compared {
  /** Items of the account, by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** How many differed, and were written or removed. */
  readonly changed: number;
}

/** What happens, for progress reports. */
export type MoveStep = 'copying' | 'comparing' | 'announced' | 'stopped' | 'verified' | 'moved' | 'following';

/** Dependencies of moving an account. A `Key` names an item; only stores look inside. */
export interface MoveAccountDeps<Key> {
  readonly clock: { now(): number };
  readonly wait: (ms: number) => Promise<void>;
  readonly marks: {
    begin(move: AccountMove): Promise<boolean>;
    change(move: AccountMove): Promise<boolean>;
  };
  /** Everything that changes from `start` on. */
  readonly changes: {
    start(): Promise<void>;
    /** What was committed before `readUpToMs` has been read. */
    next(): Promise<{ readonly keys: readonly Key[]; readonly readUpToMs: number }>;
  };
  readonly copier: {
    copyAll(): AsyncIterable<Compared>;
    removeStrays(): AsyncIterable<Compared>;
    bring(keys: readonly Key[]): Promise<Compared>;
    /** Lets sweeps at the other end see what they must look at. */
    release(): Promise<void>;
  };
  /** Completes counts that are only noted. */
  readonly foldSteps: () => Promise<void>;
  /** Makes the account known at the other end. */
  readonly open: () => Promise<void>;
  readonly onStep: (step: MoveStep, detail: MoveDetail) => void;
}

/** How far a step has come. */
export interface MoveDetail {
  readonly items?: number;
  readonly changed?: number;
}

/** What was moved. */
export interface MoveReport {
  readonly move: AccountMove;
  /** Items by kind, at both ends. */
  readonly kinds: ReadonlyMap<string, number>;
  /** Whether everything was compared while nothing could change; otherwise only what had changed since. */
  readonly isWhole: boolean;
  /** From the first refused screening to the first that the other end could take. */
  readonly stoppedMs: number;
}

/** A pass that changes no more than this is followed by the stop: the rest comes from the stream. */
const FEW = 500;
const MOST_PASSES = 5;
/** Everything is compared once more during the stop if that takes no longer than this. */
const QUICK_PASS_MS = 5_000;
const POLL_MS = 1_000;
/** A shard takes a few reads per second, and has two readers already. */
const BETWEEN_READS_MS = 250;
/** The stream is at its end if it has nothing new this often, one poll apart: it may be a second behind the table. */
const QUIET_POLLS = 3;

const refused = (message: string): DomainError => new DomainError('unavailable', message);
const takenOver = (): DomainError => refused('Another command has taken over this move. This one has stopped.');

const add = (sum: Map<string, number>, kinds: ReadonlyMap<string, number>): void => {
  for (const [kind, count] of kinds) sum.set(kind, (sum.get(kind) ?? 0) + count);
};

const total = (kinds: ReadonlyMap<string, number>): number =>
  [...kinds.values()].reduce((sum, count) => sum + count, 0);

/**
 * Moves an account to another deployment: copies everything while it is in use, follows its changes, stops its writes for as
 * long as the last of them take, compares, and opens it at the other end. Until `moved`, the account is where it was,
 * whatever happens; from then on only `open` is missing, which can be repeated. Nothing of a move is kept but its mark on
 * the account: a second run compares everything anew, writes what differs, and gets on from there.
 */
export async function moveAccount<Key>(deps: MoveAccountDeps<Key>, begun: AccountMove): Promise<MoveReport> {
  const { clock, marks, changes, copier, onStep } = deps;
  if (!(await marks.begin(begun))) throw refused('No such account here, or it has moved already.');
  await changes.start();

  const passMs = await copyUntilFew(deps, begun);
  const stops_at_ms = clock.now() + NOTICE_MS;
  const move: AccountMove = { ...begun, stops_at_ms, reopens_at_ms: stops_at_ms + LEASE_MS };
  if (!(await marks.change(move))) throw takenOver();
  onStep('announced', {});

  const touched = new Set<Key>();
  while (clock.now() < stops_at_ms + LAST_SCREENING_MS) {
    const keys = await follow(deps);
    if (clock.now() >= stops_at_ms) for (const key of keys) touched.add(key);
    await deps.wait(POLL_MS);
  }
  onStep('stopped', {});
  try {
    await deps.foldSteps();
    await settle(deps, touched);
    await copier.release();
    const verified = await verify(deps, [...touched], passMs);
    onStep('verified', { items: total(verified.kinds) });
    if (clock.now() >= moveDeadlineMs(move)) throw refused('The last changes took too long.');
    const moved = { ...move, moved_at_ms: clock.now() };
    if (!(await marks.change(moved))) throw takenOver();
    await deps.open();
    onStep('moved', {});
    return { move: moved, ...verified, stoppedMs: clock.now() - stops_at_ms };
  } catch (error) {
    // Writes are accepted again at once by functions that authorize anew, and by everyone when the stop ends.
    await marks.change(begun).catch(() => undefined);
    throw error;
  }
}

/** Copies everything until little differs, and follows the changes meanwhile; returns how long the last pass took. */
async function copyUntilFew<Key>(deps: MoveAccountDeps<Key>, begun: AccountMove): Promise<number> {
  const { clock, marks, copier, onStep } = deps;
  for (let pass = 1; ; pass++) {
    const startedMs = clock.now();
    let [items, changed] = [0, 0];
    for await (const page of copier.copyAll()) {
      items += total(page.kinds);
      changed += page.changed;
      // After a page is written, never while it is: a change that is followed is newer than what was read for the page.
      await follow(deps);
      onStep(pass === 1 ? 'copying' : 'comparing', { items, changed });
      if (!(await marks.change(begun))) throw takenOver();
    }
    if (changed > FEW && pass < MOST_PASSES) continue;
    for await (const page of copier.removeStrays()) {
      onStep('comparing', { items: total(page.kinds), changed: page.changed });
      await follow(deps);
    }
    return clock.now() - startedMs;
  }
}

/** Brings what has changed up to now; others may change theirs all the time. */
async function follow<Key>({ clock, changes, copier, wait }: MoveAccountDeps<Key>): Promise<readonly Key[]> {
  const nowMs = clock.now();
  const all: Key[] = [];
  for (let readUpToMs = Number.NEGATIVE_INFINITY; readUpToMs < nowMs; ) {
    const page = await changes.next();
    if (page.keys.length > 0) await copier.bring(page.keys);
    all.push(...page.keys);
    readUpToMs = page.readUpToMs;
    if (readUpToMs < nowMs) await wait(BETWEEN_READS_MS);
  }
  return all;
}

/** Follows the stream until nothing has changed for a few polls. */
async function settle<Key>(deps: MoveAccountDeps<Key>, touched: Set<Key>): Promise<void> {
  for (let quiet = 0; quiet < QUIET_POLLS; ) {
    const keys = await follow(deps);
    for (const key of keys) touched.add(key);
    quiet = keys.length === 0 ? quiet + 1 : 0;
    await deps.wait(POLL_MS);
  }
}

/** Compares both ends while nothing changes; throws if they differ. */
async function verify<Key>(
  { copier }: MoveAccountDeps<Key>,
  touched: readonly Key[],
  passMs: number,
): Promise<Pick<MoveReport, 'kinds' | 'isWhole'>> {
  if (passMs > QUICK_PASS_MS) {
    const { kinds, changed } = await copier.bring(touched);
    if (changed > 0) throw refused(`${changed} items still differed after the last change. Try again.`);
    return { kinds, isWhole: false };
  }
  const [here, there] = [new Map<string, number>(), new Map<string, number>()];
  let changed = 0;
  for await (const page of copier.copyAll()) {
    add(here, page.kinds);
    changed += page.changed;
  }
  for await (const page of copier.removeStrays()) {
    add(there, page.kinds);
    changed += page.changed;
  }
  const unequal = [...new Set([...here.keys(), ...there.keys()])].filter((kind) => here.get(kind) !== there.get(kind));
  if (changed > 0 || unequal.length > 0) {
    throw refused(
      `${changed} items still differed after the last change${unequal.map((kind) => `, ${kind}`).join('')}. Try again.`,
    );
  }
  return { kinds: here, isWhole: true };
}
