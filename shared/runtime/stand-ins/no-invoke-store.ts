/** Stands in for `@aws/lambda-invoke-store` in bundles: the SDK asks it for a trace id where the environment has none. */
export const InvokeStore = { getInstanceAsync: async (): Promise<undefined> => undefined };
