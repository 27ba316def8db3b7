/** How a model in shadow performed on live traffic, compared with the champion. */
export interface ShadowTally {
  readonly screened: number;
  /** How often it gave no score: it threw, or its result was not a number. */
  readonly silent: number;
  readonly champion_stopped: number;
  readonly shadow_stopped: number;
}

export const EMPTY_TALLY: ShadowTally = { screened: 0, silent: 0, champion_stopped: 0, shadow_stopped: 0 };
