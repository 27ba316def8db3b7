/** An attribute as screening observed it: enough to learn from, too little to tell whose it is. */
export interface ObservedAttribute {
  readonly name: string;
  /** 16 bits of the value's hash: thousands of values share one. */
  readonly bucket: number;
  /** The value where it looks like a number, to about three digits; else NaN. */
  readonly number: number;
}
