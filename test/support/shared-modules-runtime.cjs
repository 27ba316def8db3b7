const Module = require('node:module');
const { sep } = require('node:path');
const { ModuleMocker } = require('jest-mock');

const PACKAGES = `${sep}node_modules${sep}`;
// What runs the suites stays: jest's own modules, this one, the transformer.
const KEPT = new Set([...Object.keys(require.cache), __filename]);
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** What this worker has transformed so far: suites that come later read none of it again. */
const transformed = new Map();
const sourceMaps = new Map();
let transformer;

function load(module, file, otherwise) {
  let code = transformed.get(file);
  if (code === undefined) {
    if (!transformer?.shouldTransform(file)) return otherwise(module, file);
    const options = { supportsDynamicImport: true, supportsExportNamespaceFrom: true, supportsTopLevelAwait: false };
    const result = transformer.transform(file, { ...options, supportsStaticESM: false });
    if (result.sourceMapPath) sourceMaps.set(file, result.sourceMapPath);
    code = result.code;
    transformed.set(file, code);
  }
  module._compile(code, file);
}

// Node tries endings in the order of these keys: `./measured` is measured.ts, not measured.json. A global setup in this
// process may have left a loader of its own for `.ts`, which would find TypeScript that nobody has transformed.
const others = { ...Module._extensions };
for (const ending of Object.keys(Module._extensions)) delete Module._extensions[ending];
const transformAndLoad = (module, file) => load(module, file, others['.js']);
const ours = { '.ts': transformAndLoad, '.js': transformAndLoad };
Object.assign(Module._extensions, ours, others, ours);

/**
 * Loads what tests import as Node does, without the sandbox that jest makes for each suite: packages are loaded once for
 * all suites of a worker, and arithmetic is as fast as in production. Our own modules are loaded anew for each suite,
 * since some hold state. Whatever jest offers to replace modules is not here, and not used.
 */
class SharedModulesRuntime {
  constructor(_config, environment, _resolver, suiteTransformer) {
    transformer = suiteTransformer;
    this.mocker = new ModuleMocker(globalThis);
    environment.global.jest = {
      fn: this.mocker.fn.bind(this.mocker),
      spyOn: this.mocker.spyOn.bind(this.mocker),
      restoreAllMocks: () => this.mocker.restoreAllMocks(),
      setTimeout: (ms) => {
        globalThis[TEST_TIMEOUT] = ms;
      },
    };
    delete globalThis[TEST_TIMEOUT];
  }

  /** jest-circus keeps its handlers of events in a global, and its state in the module: both are for one suite. */
  requireInternalModule(file) {
    delete globalThis[EVENT_HANDLERS];
    delete require.cache[file];
    return require(file);
  }

  requireModule(file) {
    const exported = require(file);
    return exported?.default ?? exported;
  }

  teardown() {
    this.mocker.restoreAllMocks();
    for (const file of Object.keys(require.cache)) {
      if (!KEPT.has(file) && !file.includes(PACKAGES)) delete require.cache[file];
    }
  }

  getSourceMaps() {
    return sourceMaps;
  }

  unstable_shouldLoadAsEsm() {
    return false;
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  getAllCoverageInfoCopy() {}
}

module.exports = SharedModulesRuntime;
