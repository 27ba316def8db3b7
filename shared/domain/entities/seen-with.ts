/** A user, by pseudonym, was seen with an entity, by key, since a time. */
export interface EntityLink {
  readonly account_id: string;
  readonly entity: string;
  readonly user: string;
  readonly since_ms: number;
}

/** A screening, and the links that it makes. */
export interface ScreenedLinks {
  readonly account_id: string;
  readonly ulid: string;
  readonly links: readonly EntityLink[];
}
