/** What is stored of a version: the model for us and for LightGBM, its description, and how it was evaluated. */
export type ModelFile = 'artefact' | 'text' | 'metadata' | 'evaluation' | 'shadow';
