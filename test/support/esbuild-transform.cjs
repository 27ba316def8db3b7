// jest's transformer: esbuild turns TypeScript and ESM packages (middy) into CommonJS.
// ts-jest fails on middy 6, which is ESM only; types are checked by `tsc`, not here.
const { transformSync } = require('esbuild');

module.exports = {
  process(source, filename) {
    const loader = filename.endsWith('.ts') ? 'ts' : 'js';
    const options = { format: 'cjs', target: 'node20', loader, sourcefile: filename, sourcemap: 'inline' };
    return { code: transformSync(source, options).code };
  },
};
