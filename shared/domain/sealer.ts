/** Encrypts a text at rest, bound to a context that must be the same when it is opened. */
export interface Sealer {
  seal(plain: string, context: string): Promise<string>;
  open(sealed: string, context: string): Promise<string>;
}

/** A sealed text with the context it was sealed in. */
export interface SealedText {
  readonly text: string;
  readonly context: string;
}
