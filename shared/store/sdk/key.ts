export interface Key {
  readonly pk: string;
  readonly sk: string;
}
