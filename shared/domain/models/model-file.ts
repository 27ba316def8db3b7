/** The stored files of a version: the model for us and for LightGBM, its description, and its evaluation. */
export type ModelFile = 'artefact' | 'text' | 'metadata' | 'evaluation' | 'shadow';
