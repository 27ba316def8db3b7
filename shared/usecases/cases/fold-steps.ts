/** Dependencies of folding steps into tallies. */
export interface FoldStepsDeps<Raw, Step extends { readonly pk: string }> {
  readonly readStep: (raw: Raw) => Step | undefined;
  readonly steps: { fold(steps: readonly Step[]): Promise<void> };
  readonly report: (problem: string, error: unknown) => void;
}

const AT_ONCE = 8;

/**
 * Folds the steps of a batch into the tallies of their partitions. Doing it twice has the same effect as once; a step
 * that is never folded still counts for all readers of the tallies.
 */
export async function foldSteps<Raw, Step extends { readonly pk: string }>(
  deps: FoldStepsDeps<Raw, Step>,
  records: readonly Raw[],
): Promise<number> {
  const partitions = new Map<string, Step[]>();
  let found = 0;
  for (const raw of records) {
    try {
      const step = deps.readStep(raw);
      if (!step) continue;
      partitions.set(step.pk, [...(partitions.get(step.pk) ?? []), step]);
      found++;
    } catch (error) {
      deps.report('a record of the stream cannot be read', error);
    }
  }
  const all = [...partitions.values()];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    await Promise.all(all.slice(at, at + AT_ONCE).map((steps) => deps.steps.fold(steps)));
  }
  return found;
}
