/** Stands in for `@aws/lambda-invoke-store` in bundles: the SDK asks it for a trace ID if the environment has none. */
export const InvokeStore = { getInstanceAsync: async (): Promise<undefined> => undefined };
