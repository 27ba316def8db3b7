import type { SealedText } from '../../../shared/domain/sealer';
import type { ResealDeps } from '../../../shared/usecases/secrets/reseal';

/** A sealed text and where it lies. */
export interface PositionedText extends SealedText {
  readonly position: number;
}

/** Sealed texts in memory. */
export function memorySealedTexts(texts: readonly SealedText[]) {
  const held = [...texts];
  return {
    held,
    async *all() {
      for (const [position, { text, context }] of held.entries()) yield { position, text, context };
    },
    async replace({ position, text, context }: PositionedText, by: string) {
      if (held[position]?.text !== text) return false;
      held[position] = { text: by, context };
      return true;
    },
  } satisfies ResealDeps<PositionedText>['sealed'] & Record<string, unknown>;
}
