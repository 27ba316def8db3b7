import type { SealedText } from '../../../shared/domain/sealer';
import type { ResealDeps } from '../../../shared/usecases/secrets/reseal';

/** A sealed text and where it lies. */
export interface PlacedText extends SealedText {
  readonly place: number;
}

/** Sealed texts in memory. */
export function memorySealedTexts(texts: readonly SealedText[]) {
  const held = [...texts];
  return {
    held,
    async *all() {
      for (const [place, { text, context }] of held.entries()) yield { place, text, context };
    },
    async replace({ place, text, context }: PlacedText, by: string) {
      if (held[place]?.text !== text) return false;
      held[place] = { text: by, context };
      return true;
    },
  } satisfies ResealDeps<PlacedText>['sealed'] & Record<string, unknown>;
}
