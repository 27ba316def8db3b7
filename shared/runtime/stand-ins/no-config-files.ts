/**
 * Stands in for `node:fs/promises` in bundles: only the SDK imports it, to look for files in `~/.aws`, which a Lambda
 * function does not have. The SDK takes this error as "not there"; loading the module takes 1.2 ms of a cold start.
 */
export const readFile = async (path: string): Promise<never> => {
  throw Object.assign(new Error(`${path}: bundles read no files with node:fs/promises`), { code: 'ENOENT' });
};
