import type { ScoringModel, ShadowModel } from '../../domain/screening/screen';

/** What a screening scores with. */
export interface ModelsInForce {
  /** Without one the signals decide alone. */
  readonly champion?: ScoringModel | undefined;
  /** Scores the same screening beside it, and decides nothing. */
  readonly shadow?: ShadowModel | undefined;
}

/** Where a screening gets its models from. */
export interface ScreeningModels {
  inForce(): ModelsInForce;
  /** Looks whether others are in force by now. What it returns is to be awaited beside the first trip. */
  refresh(): Promise<void> | undefined;
}
