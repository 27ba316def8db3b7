/** The two environments: two deployments of one stack that share nothing but the fraud models. */
export const STAGES = ['sandbox', 'production'] as const;

export type Stage = (typeof STAGES)[number];

/** The prefix of each stage's API keys; a key of the other stage is refused like an unknown one. */
export const KEY_PREFIX = { sandbox: 'sk_test_', production: 'sk_live_' } as const satisfies Record<Stage, string>;
