/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}
