import type { EntityLink } from '../../domain/entities/seen-with';

/** Dependencies of linking users with what they were seen with. */
export interface LinkChangesDeps<Raw> {
  /** The links that a record of the stream makes; none for most. */
  readonly readLinks: (raw: Raw) => readonly EntityLink[];
  readonly links: { put(link: EntityLink): Promise<void> };
  readonly report: (problem: string, error: unknown) => void;
}

const AT_ONCE = 10;

/** Writes the links of a batch, each pair once. Doing it twice has the same effect as once. */
export async function linkChanges<Raw>(deps: LinkChangesDeps<Raw>, records: readonly Raw[]): Promise<void> {
  const links = new Map<string, EntityLink>();
  for (const raw of records) {
    try {
      for (const link of deps.readLinks(raw)) {
        const name = `${link.account_id} ${link.entity} ${link.user}`;
        if (!links.has(name)) links.set(name, link);
      }
    } catch (error) {
      deps.report('a record of the stream cannot be read', error);
    }
  }
  const all = [...links.values()];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    await Promise.all(all.slice(at, at + AT_ONCE).map((link) => deps.links.put(link)));
  }
}
