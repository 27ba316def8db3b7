/** What is kept of a version: the model as we score it and as LightGBM reads it, what it is, and how it was judged. */
export type ModelFile = 'artefact' | 'text' | 'metadata' | 'evaluation' | 'shadow';
