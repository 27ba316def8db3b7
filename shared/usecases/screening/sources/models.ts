import type { ScoringModel, ShadowModel } from '../../../domain/screening/screen';
import { NOTHING_MISSING, type Reading, type Source } from './source';

/** The models that a screening scores with. */
export interface CurrentModels {
  /** Without one, the signals decide alone. */
  readonly champion?: ScoringModel | undefined;
  /** Scores the same screening alongside it, and decides nothing. */
  readonly shadow?: ShadowModel | undefined;
}

/** Where a screening gets its models from. */
export interface ScreeningModels {
  current(): CurrentModels | Promise<CurrentModels>;
}

const MISSING: readonly string[] = ['models'];

const readingOf = ({ champion, shadow }: CurrentModels): CurrentModels & Reading => ({
  champion,
  shadow,
  missing: NOTHING_MISSING,
});

/** The models that score. */
export const modelSource: Source<'models', { readonly models: ScreeningModels }, CurrentModels & Reading> = {
  name: 'models',
  read({ models }) {
    const known = models.current();
    return known instanceof Promise ? known.then(readingOf) : readingOf(known);
  },
  without: () => ({ missing: MISSING }),
  standIn: { models: { current: () => ({}) } },
};
