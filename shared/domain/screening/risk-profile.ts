import type { EntityProfile } from '../entities/entity-history';
import type { RiskLevel } from './decide';

/** A user's history, and the current risk that follows from it. */
export interface RiskProfile {
  readonly user_id: string;
  readonly risk_score: number;
  readonly risk_level: RiskLevel;
  readonly signals: readonly string[];
  readonly history: EntityProfile & { readonly first_seen_ms: number; readonly last_seen_ms: number };
}
