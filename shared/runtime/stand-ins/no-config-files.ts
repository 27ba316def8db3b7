/**
 * Stands in for `node:fs/promises` in bundles: only the SDK imports it, to look for files in `~/.aws`, of which a Lambda
 * function has none. It takes this answer as "not there"; loading the module is 1.2 ms of a cold start.
 */
export const readFile = async (path: string): Promise<never> => {
  throw Object.assign(new Error(`${path}: bundles read no files with node:fs/promises`), { code: 'ENOENT' });
};
