/*
 * On Node 20 the SDK prints a page about the end of its support on every start. CONTRIBUTING.md has the plan (Node 20
 * is dropped before the SDK drops it), deployed functions run on Node 24, and the person running a command can do
 * nothing about it. So it is turned off, here and nowhere else.
 */
export const SDK_ENVIRONMENT = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' } as const;
