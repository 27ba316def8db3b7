/** An attribute as screening observed it: enough to learn from, too little to identify anyone. */
export interface ObservedAttribute {
  readonly name: string;
  /** 16 bits of the value under the stage's key; of a number, the 16 bits of that number. */
  readonly bucket: number;
  /** The value if it is a number that counts something, to about two digits; otherwise NaN. */
  readonly number: number;
}
