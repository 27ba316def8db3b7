import type { EntityLink, ScreenedLinks } from '../../domain/entities/seen-with';

/** Dependencies of linking users with the entities they were seen with. */
export interface LinkChangesDeps<Raw> {
  readonly readLinks: (raw: Raw) => ScreenedLinks | undefined;
  readonly links: {
    stored(screenings: readonly ScreenedLinks[]): Promise<(screening: ScreenedLinks) => boolean>;
    put(link: EntityLink): Promise<void>;
  };
  readonly report: (problem: string, error: unknown) => void;
}

const AT_ONCE = 10;

/**
 * Writes the links of a batch, each pair once. Doing it twice has the same effect as once. The stream is a minute behind, and
 * more when it repeats a batch: a screening that is no longer stored links nobody, because its user may have been erased.
 */
export async function linkChanges<Raw>(deps: LinkChangesDeps<Raw>, records: readonly Raw[]): Promise<void> {
  const screenings: ScreenedLinks[] = [];
  for (const raw of records) {
    try {
      const screening = deps.readLinks(raw);
      if (screening && screening.links.length > 0) screenings.push(screening);
    } catch (error) {
      deps.report('a record of the stream cannot be read', error);
    }
  }
  if (screenings.length === 0) return;
  const isStored = await deps.links.stored(screenings);
  const links = new Map<string, EntityLink>();
  for (const link of screenings.filter(isStored).flatMap((screening) => screening.links)) {
    const name = `${link.account_id} ${link.entity} ${link.user}`;
    if (!links.has(name)) links.set(name, link);
  }
  const all = [...links.values()];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    await Promise.all(all.slice(at, at + AT_ONCE).map((link) => deps.links.put(link)));
  }
}
