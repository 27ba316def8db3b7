// jest's transformer: esbuild turns TypeScript and ESM packages (middy) into CommonJS.
// ts-jest fails on middy 6, which is ESM only; types are checked by `tsc`, not here.
const { transformSync } = require('esbuild');

module.exports = {
  process(source, filename) {
    const loader = filename.endsWith('.ts') ? 'ts' : 'js';
    // A map of its own: within the code, jest would parse it, write it once more, and read it with every suite.
    const options = { format: 'cjs', target: 'node20', loader, sourcefile: filename, sourcemap: 'external' };
    return transformSync(source, options);
  },
};
