/** Hides a text at rest, bound to a context that must be the same when it is opened. */
export interface Sealer {
  seal(plain: string, context: string): Promise<string>;
  open(sealed: string, context: string): Promise<string>;
}

/** A sealed text and where it lies. */
export interface SealedText {
  readonly key: { readonly pk: string; readonly sk: string };
  readonly attribute: string;
  readonly text: string;
  readonly context: string;
}
