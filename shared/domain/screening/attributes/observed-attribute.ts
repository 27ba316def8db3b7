/** An attribute as screening observed it: enough to learn from, too little to tell whose it is. */
export interface ObservedAttribute {
  readonly name: string;
  /** 16 bits of the value's hash: thousands of values share each bucket. */
  readonly bucket: number;
  /** The value if it looks like a number, to about three digits; otherwise NaN. */
  readonly number: number;
}
