import { attributeTypeOf, type Declarations, NO_DECLARATIONS } from '../../domain/declarations/declaration';
import type { IntelligenceState, IntelligenceTable } from '../../domain/intelligence/intelligence-table';
import { isHeldInMemory, type ListDefinition } from '../../domain/lists/list-definition';
import type { HeldEntries, KnownList } from '../../domain/lists/match-lists';
import { championFor, leadsSandbox, type RegistryState, shadowFor } from '../../domain/models/registry-state';
import { compileCounters } from '../../domain/rules/compile-counters';
import type { StoredRule } from '../../domain/rules/rule';
import { compileRules } from '../../domain/rules/rule-set';
import type { ScoringModel } from '../../domain/screening/screen';
import type { Stage } from '../../domain/stage';
import type { CurrentModels, ScreeningModels } from './sources/models';
import type { KnownRules, ScreeningRules } from './sources/rules';

/*
 * A function reads what may change behind its back at most every 30 seconds, alongside the first trip of a request and
 * never before it:
 *
 *   age of the last read   0 s ─────────── 30 s ────────── staleAfterMs ────────────►
 *   a request then         uses it         reads, and      reads, and waits for the result, alongside its first trip
 *                                          uses the old    and for a limited time: then it uses the old
 *
 * So a change works within a minute. An environment that has just started waits, too.
 */
const READ_EVERY_MS = 30_000;
/** After a failure, and for a read that never returned (the environment was frozen in the middle of it). */
const TRY_AGAIN_MS = 5_000;
/** Of more keys, the one that was not asked for longest is forgotten. */
const MOST_KEYS = 500;

interface Waiting {
  readonly clock: { now(): number };
  /** Stretches a wait where the machine's speed must not matter. */
  readonly budgetMs: (ms: number) => number;
  readonly onFailure: (error: unknown) => void;
}

interface Following<Known> extends Waiting {
  /** Reads the value of a key, given what is known of it; `isRecent`: with every change that was confirmed. */
  read(key: string, known: Known | undefined, isRecent: boolean): Promise<Known>;
  /** How old a read may be before a request waits for the next one. */
  readonly staleAfterMs: number;
  /** How long a request waits if something is known already, and if nothing is. */
  readonly waitMs: number;
  readonly waitFirstMs: number;
  /** Known without a read. @default nothing: if the first read fails, so do those who wait for it */
  readonly first?: Known;
  /** @default 30 seconds */
  readonly readEveryMs?: number;
}

/** A read that brought something, although not everything: it is used, and the read tried again. */
class PartlyRead<Known> extends Error {
  constructor(
    readonly known: Known,
    override readonly cause: unknown,
  ) {
    super('Not everything could be read');
  }
}

interface Followed<Known> {
  known: Known | undefined;
  readAtMs: number;
  nextMs: number;
  reading: Promise<Known> | undefined;
}

interface Follower<Known> {
  /** The value of a key: known already, unless it has been a while. Rejects if nothing is known and cannot be read. */
  current(key: string): Known | Promise<Known>;
  reread(key: string): Promise<Known>;
  latest(key: string): Known | undefined;
}

/** Follows what is stored under keys, from within a function; if a read fails, it keeps what it knows. */
function follower<Known>(how: Following<Known>): Follower<Known> {
  const { clock, staleAfterMs } = how;
  const keys = new Map<string, Followed<Known>>();

  function followed(key: string): Followed<Known> {
    const never = Number.NEGATIVE_INFINITY;
    const found = keys.get(key) ?? { known: how.first, readAtMs: never, nextMs: never, reading: undefined };
    // Moved to the end: the first one was not asked for longest.
    keys.delete(key);
    keys.set(key, found);
    const [oldest] = keys.keys();
    if (keys.size > MOST_KEYS && oldest !== undefined) keys.delete(oldest);
    return found;
  }

  async function read(key: string, at: Followed<Known>, startedMs: number, isRecent = false): Promise<Known> {
    // A read that was frozen for a while may return after a later one.
    const isLate = (): boolean => at.known !== undefined && startedMs < at.readAtMs;
    try {
      const known = await how.read(key, at.known, isRecent);
      if (isLate()) return at.known as Known;
      at.known = known;
      at.readAtMs = startedMs;
      at.nextMs = startedMs + (how.readEveryMs ?? READ_EVERY_MS);
      return known;
    } catch (error) {
      if (!(error instanceof PartlyRead)) throw error;
      if (!isLate()) at.known = error.known;
      throw error.cause;
    }
  }

  return {
    current(key) {
      const at = followed(key);
      const nowMs = clock.now();
      if (nowMs >= at.nextMs) {
        at.nextMs = nowMs + TRY_AGAIN_MS;
        at.reading = read(key, at, nowMs);
        at.reading.catch(how.onFailure);
      }
      const { known, reading } = at;
      if (known !== undefined && nowMs - at.readAtMs < staleAfterMs) return known;
      // Nothing is stale without a read that was started for it.
      const limitMs = how.budgetMs(known === undefined ? how.waitFirstMs : how.waitMs);
      return atMost(limitMs, reading as Promise<Known>, at);
    },
    reread: (key) => read(key, followed(key), clock.now(), true),
    latest: (key) => keys.get(key)?.known ?? how.first,
  };
}

/** The result of a read in time; else what is known by then, or a rejection if nothing is. */
function atMost<Known>(limitMs: number, reading: Promise<Known>, at: Followed<Known>): Promise<Known> {
  return new Promise((resolve, reject) => {
    const giveUp = (error: unknown): void => (at.known === undefined ? reject(error) : resolve(at.known));
    const timer = setTimeout(() => giveUp(new Error(`nothing was read within ${limitMs} ms`)), limitMs);
    reading.then(resolve, giveUp).finally(() => clearTimeout(timer));
  });
}

/** Dependencies of following the rules of accounts. */
export interface FollowRulesDeps extends Waiting {
  readonly books: {
    book(
      accountId: string,
      isRecent: boolean,
    ): Promise<{ readonly revision: number; rules(): readonly StoredRule[]; declarations(): Declarations }>;
  };
}

/** Follows the rules of accounts. */
export const ruleFollower = ({ books, ...waiting }: FollowRulesDeps): ScreeningRules =>
  follower<KnownRules & { readonly revision: number }>({
    ...{ ...waiting, staleAfterMs: 55_000, waitMs: 800, waitFirstMs: 800 },
    async read(accountId, known, isRecent) {
      const { revision, rules, declarations } = await books.book(accountId, isRecent);
      if (known?.revision === revision) return known;
      return { revision, ...compileBook(revision === 0 ? [] : rules(), declarations()) };
    },
  });

function compileBook(rules: readonly StoredRule[], declarations: Declarations): KnownRules {
  return {
    rules: compileRules(rules, (key) => attributeTypeOf(declarations, key)),
    declarations,
    counters: compileCounters(declarations, rules),
  };
}

/** Fixed rules and declarations, for replays and tests. */
export const fixedRules = (
  rules: readonly StoredRule[],
  declarations: Declarations = NO_DECLARATIONS,
): ScreeningRules => {
  return fixedKnown(compileBook(rules, declarations));
};

/** Rules that are known and do not change. */
export const fixedKnown = (known: KnownRules): ScreeningRules => ({
  current: () => known,
  reread: async () => known,
  latest: () => known,
});

/** Dependencies of following an account's lists. */
export interface FollowListsDeps extends Waiting {
  readonly lists: { all(accountId: string): Promise<readonly ListDefinition[]> };
  readonly held: { entriesOf(accountId: string, number: number): Promise<HeldEntries> };
}

type VersionedList = KnownList & { readonly version: number };

/** Follows the lists of accounts. The entries of exact types are flags on the entities themselves, which work at once. */
export const listFollower = ({ lists, held, ...waiting }: FollowListsDeps): Follower<readonly VersionedList[]> =>
  follower({
    ...{ ...waiting, staleAfterMs: READ_EVERY_MS, waitMs: 250, waitFirstMs: 800 },
    read: async (accountId, known) =>
      Promise.all(
        (await lists.all(accountId)).map(async ({ name, type, effect, number, version, flagged }) => {
          if (!isHeldInMemory({ type, flagged })) return { name, type, effect, number, version };
          const before = known?.find((each) => each.number === number && each.version === version);
          const entries = before?.held ?? (await held.entriesOf(accountId, number));
          return { name, type, effect, number, version, held: entries };
        }),
      ),
  });

type StateSince<State> = (
  etag: string | undefined,
) => Promise<{ readonly state: State; readonly etag: string | undefined } | 'unchanged'>;

interface FollowedRegistry {
  readonly stateSince: StateSince<RegistryState>;
  file(version: string, file: 'artefact'): Promise<Uint8Array>;
}

/** Dependencies of following the registry. */
export interface FollowModelsDeps extends Waiting {
  readonly stage: Stage;
  /** The bundle's model, used while the registry names no champion. */
  readonly base: ScoringModel | undefined;
  readonly own: FollowedRegistry;
  /** Production's registry, which sandbox follows instead of its registry while production leads. */
  readonly leader?: FollowedRegistry | undefined;
  /** @throws Error if the bytes are not a model that this code can score with */
  readonly open: (artefact: Uint8Array) => ScoringModel;
}

/** Models as the registry names them. The tag is kept only if all could be loaded: the next read retries what failed. */
interface KnownModels extends CurrentModels {
  readonly championVersion?: string | undefined;
  readonly etag?: string | undefined;
  readonly from?: FollowedRegistry | undefined;
}

const REGISTRY = '';

/** Follows the registry, so that a model that was rolled back scores for a minute at most. */
export function modelFollower(deps: FollowModelsDeps): ScreeningModels & { latest(): CurrentModels } {
  const { stage, clock, budgetMs, base, own, leader, onFailure } = deps;
  const first: KnownModels = { champion: base };

  /** Loads what is not loaded yet, the champion first: a shadow that does not load must not hold up a rollback. */
  async function load(from: FollowedRegistry, state: RegistryState, known: KnownModels): Promise<KnownModels> {
    const open = async (version: string): Promise<ScoringModel> => deps.open(await from.file(version, 'artefact'));
    const championVersion = championFor(state, stage)?.version;
    const version = shadowFor(state, stage)?.version;
    let { champion } = known;
    if (championVersion !== known.championVersion)
      champion = championVersion === undefined ? base : await open(championVersion);
    const shadow = known.shadow?.version === version ? known.shadow : undefined;
    if (version === undefined || shadow !== undefined) return { champion, championVersion, shadow };
    const loading = open(version).catch((error) => {
      throw new PartlyRead<KnownModels>({ ...known, champion, championVersion, shadow }, error);
    });
    return { champion, championVersion, shadow: { version, model: await loading } };
  }

  const { current, latest } = follower<KnownModels>({
    ...{ clock, budgetMs, onFailure, first, staleAfterMs: 60_000, waitMs: 250, waitFirstMs: 250 },
    async read(_key, known = first) {
      const since = (registry: FollowedRegistry) =>
        registry.stateSince(registry === known.from ? known.etag : undefined);
      let from = leader ?? own;
      let read = await since(from);
      if (from === leader && read !== 'unchanged' && !leadsSandbox(read.state)) {
        from = own;
        read = await since(own);
      }
      if (read === 'unchanged') return known;
      return { ...(await load(from, read.state, known)), etag: read.etag, from };
    },
  });
  return { current: () => current(REGISTRY), latest: () => latest(REGISTRY) ?? first };
}

/** Dependencies of following what is known offline of addresses and domains. */
export interface FollowIntelligenceDeps {
  readonly clock: { now(): number };
  /** The table that ships with the function, used while the bucket names no other. */
  readonly shipped: IntelligenceTable;
  readonly bucket: {
    readonly stateSince: StateSince<IntelligenceState>;
    /** @throws Error if it is not the whole table that the state describes */
    table(of: IntelligenceState['tables'][number]): Promise<IntelligenceTable>;
  };
  /** Told after each look at the bucket. */
  readonly onRead: (table: IntelligenceTable) => void;
  readonly onFailure: (error: unknown) => void;
}

/** A renewed table works within five minutes: the next look is at most two away, and a request later it is loaded. */
const RENEWED_WITHIN_MS = 120_000;

/** Follows the tables in the bucket. Nobody waits for one: until it is loaded, and if it cannot be, the last good one counts. */
export function intelligenceFollower(deps: FollowIntelligenceDeps): { current(): IntelligenceTable } {
  const { clock, shipped, bucket, onRead, onFailure } = deps;
  const first: { readonly table: IntelligenceTable; readonly etag?: string | undefined } = { table: shipped };
  const { current, latest } = follower({
    // Nobody waits: what a wait may take does not matter.
    ...{ budgetMs: () => 0, staleAfterMs: Infinity, waitMs: 0, waitFirstMs: 0 },
    ...{ clock, onFailure, first, readEveryMs: RENEWED_WITHIN_MS },
    async read(_key, known = first) {
      const read = await bucket.stateSince(known.etag);
      if (read === 'unchanged') {
        onRead(known.table);
        return known;
      }
      const { state, etag } = read;
      const named = state.tables.find(({ version }) => version === state.current);
      if (state.current !== null && named === undefined) throw new Error(`no table ${state.current} is described`);
      const isKnown = known.table.description.version === (named ?? shipped.description).version;
      const table = isKnown ? known.table : named === undefined ? shipped : await bucket.table(named);
      onRead(table);
      return { table, etag };
    },
  });
  return {
    current: () => {
      const reading = current(REGISTRY);
      if (reading instanceof Promise) reading.catch(() => undefined);
      return latest(REGISTRY)?.table ?? shipped;
    },
  };
}
