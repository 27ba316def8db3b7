import { createHash } from 'node:crypto';
import {
  INTELLIGENCE_KEY,
  type IntelligenceDescription,
  openIntelligence,
  SOURCE_KINDS,
  type SourceKind,
} from '../../shared/domain/intelligence/intelligence-table';
import { intelligenceBucket } from '../../shared/runtime/model-wiring';
import type { ObjectStore } from '../../shared/store/sdk/object-store';
import { buildIntelligence, compileIntelligence, type DatedFile } from './compile-intelligence';
import { UnsoundTable } from './read-source';

/** Fewer entries are not the list that it claims to be: half of the smallest edition that was seen of each. */
const LEAST: Readonly<Partial<Record<SourceKind, number>>> = {
  country: 100_000,
  asn: 200_000,
  disposable: 3_000,
  free: 1_000,
};

export const entriesOf = ({ sources }: IntelligenceDescription, kind: SourceKind): number =>
  sources.reduce((sum, source) => (source.kind === kind ? sum + source.entries : sum), 0);

/** The faults of a table, compared with the one before it; none if it is sound. */
export function faultsOf(
  next: IntelligenceDescription,
  before: IntelligenceDescription,
  without: ReadonlySet<SourceKind> = new Set(),
  least = LEAST,
): string[] {
  const count = (entries: number): string => entries.toLocaleString('en-US');
  return SOURCE_KINDS.flatMap((kind) => {
    const [now, then] = [entriesOf(next, kind), entriesOf(before, kind)];
    if (now < (least[kind] ?? 0))
      return [`${kind}: too small, ${count(now)} entries of at least ${count(least[kind] ?? 0)}`];
    if (now * 2 >= then || without.has(kind)) return [];
    const name = before.sources.find((source) => source.kind === kind)?.name;
    return now === 0
      ? [`${kind}: gone; add the newest edition of ${name}, or --without ${kind}`]
      : [`${kind}: half of it is gone, ${count(now)} entries after ${count(then)} of ${name}`];
  });
}

export interface Renewal {
  readonly nowMs: number;
  /** Kinds that may be missing from now on. */
  readonly without?: ReadonlySet<SourceKind>;
  readonly least?: typeof LEAST;
}

/** The tables of a stage, for people at a keyboard. */
export function intelligenceAdmin(objects: ObjectStore, prefix: string) {
  const { state: tagged, change, table } = intelligenceBucket(objects, prefix);

  /** The description of the current table, of the bundle if none was put. */
  async function current(): Promise<IntelligenceDescription> {
    const { state } = await tagged();
    return (
      state.tables.find(({ version }) => version === state.current) ??
      openIntelligence(compileIntelligence()).description
    );
  }

  return {
    current,
    state: async () => (await tagged()).state,
    table,

    /** Builds a table from files, and from what ships for kinds that none of them has, and makes it current. */
    async update(files: readonly DatedFile[], { nowMs, without, least }: Renewal): Promise<IntelligenceDescription> {
      const bytes = buildIntelligence(files, true);
      const { description } = openIntelligence(bytes);
      const faults = faultsOf(description, await current(), without, least);
      if (faults.length > 0) throw new UnsoundTable(faults.join('\n'));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await objects.put(prefix + INTELLIGENCE_KEY.table(description.version), bytes);
      const entry = { ...description, stored_at: new Date(nowMs).toISOString(), sha256 };
      await change((state) => ({
        ...state,
        current: description.version,
        tables: [...state.tables.filter(({ version }) => version !== description.version), entry],
      }));
      return description;
    },

    /** Makes the table before the current one current; null is the one that ships. */
    async rollback(): Promise<string | null> {
      const { current: version } = await change((state) => {
        const at = state.tables.findIndex(({ version: each }) => each === state.current);
        if (at === -1) throw new UnsoundTable('The table of the bundle is current: there is none before it.');
        return { ...state, current: state.tables[at - 1]?.version ?? null };
      });
      return version;
    },
  };
}

export type IntelligenceAdmin = ReturnType<typeof intelligenceAdmin>;
