import type { SealedText, Sealer } from '../../domain/sealer';

/** Dependencies of resealing. */
export interface ResealDeps<Sealed extends SealedText = SealedText> {
  /** `Sealed` also says where a text is stored, which is the store's business. */
  readonly sealed: {
    all(): AsyncIterable<Sealed>;
    replace(sealed: Sealed, by: string): Promise<boolean>;
  };
  readonly sealer: Sealer;
  readonly currentVersion: () => Promise<string>;
  readonly versionOf: (text: string) => string | undefined;
}

/** How many texts are sealed with which version of the data key. */
export async function sealedByVersion<Sealed extends SealedText>(
  deps: Pick<ResealDeps<Sealed>, 'sealed' | 'versionOf'>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const { text } of deps.sealed.all()) {
    const version = deps.versionOf(text);
    if (version) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return counts;
}

/** The result of a run; texts that changed in the meantime were resealed by that change. */
export interface ResealReport {
  readonly resealed: number;
  readonly current: number;
  readonly changedMeanwhile: number;
}

/**
 * Reseals every text that was sealed with an older version of the data key. Each is replaced only if it has not changed
 * since it was read: it may run alongside the service, be interrupted and be run again.
 */
export async function reseal<Sealed extends SealedText>(
  deps: ResealDeps<Sealed>,
  onProgress: (seen: number) => void,
): Promise<ResealReport> {
  const wanted = await deps.currentVersion();
  const report = { resealed: 0, current: 0, changedMeanwhile: 0 };
  let seen = 0;
  for await (const sealed of deps.sealed.all()) {
    const version = deps.versionOf(sealed.text);
    if (!version) continue;
    onProgress(++seen);
    if (version === wanted) report.current += 1;
    else {
      const plain = await deps.sealer.open(sealed.text, sealed.context);
      const isReplaced = await deps.sealed.replace(sealed, await deps.sealer.seal(plain, sealed.context));
      report[isReplaced ? 'resealed' : 'changedMeanwhile'] += 1;
    }
  }
  return report;
}
