import type { ScoringModel, ShadowModel } from '../../domain/screening/screen';

/** The models that a screening scores with. */
export interface ModelsInForce {
  /** Without one, the signals decide alone. */
  readonly champion?: ScoringModel | undefined;
  /** Scores the same screening beside it, and decides nothing. */
  readonly shadow?: ShadowModel | undefined;
}

/** Where a screening gets its models from. */
export interface ScreeningModels {
  inForce(): ModelsInForce;
  /** Checks whether other models have taken over. Await its result alongside the first trip. */
  refresh(): Promise<void> | undefined;
}
