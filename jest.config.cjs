const { availableParallelism } = require('node:os');
const measurePatience = require('./test/support/measure-patience.cjs');

// The SDK reminds Node 20 of its end of support at every start; deployed functions run on Node 24.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

// A database on disk that a test starts ends within a minute, before Java's optimizing compiler pays: 4 s of CPU, not 8.
process.env.JAVA_TOOL_OPTIONS ??= '-XX:TieredStopAtLevel=1';

// Workers and everything they start inherit it.
process.env.PATIENCE ??= String(measurePatience());

// A suite runs in a vm context, where every mention of a global is looked up through an interceptor: arithmetic and parsing
// take twice as long. jest hands these in as arguments instead; not those that a package declares
// again (asn1js its own Set), nor RegExp, which a test watches.
const FAST_GLOBALS = [
  ...['Array', 'ArrayBuffer', 'BigInt', 'DataView', 'Date', 'Error', 'Float32Array', 'Float64Array', 'Int16Array'],
  ...['Int32Array', 'Int8Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'String', 'Symbol'],
  ...['Uint16Array', 'Uint32Array', 'Uint8Array', 'WeakMap'],
];

// One project per layer, so that `npx jest --selectProjects unit` runs one of them alone.
const layer = (name, extra = {}) => ({
  displayName: name,
  rootDir: __dirname,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/test/support/esbuild-transform.cjs' },
  // middy, fauxqs, hyparquet and jose are ESM only, jest runs CommonJS: these are transformed like our own files.
  transformIgnorePatterns: ['/node_modules/(?!(?:@middy|@marcbachmann|hyparquet|hyparquet-writer|jose)/)'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/dist', '<rootDir>/.local'],
  testEnvironment: 'node',
  sandboxInjectedGlobals: FAST_GLOBALS,
  ...extra,
});

const synthesized = { globalSetup: '<rootDir>/test/support/synthesize-once.ts' };
// One local run, as `npm start` makes it, for the layers that need the service up.
const running = {
  globalSetup: '<rootDir>/test/support/local-run.ts',
  globalTeardown: '<rootDir>/test/support/stop-local-run.ts',
};

const strict = { ...running, setupFilesAfterEnv: ['<rootDir>/test/support/no-denials.ts'] };

// Long properties, simulations of weeks of traffic, training, builds of packages: part of every test run, too long for `npm run check`.
const SLOW = [
  'unit/training/',
  'unit/adversary/short-form',
  'unit/basics',
  'unit/deploy/',
  'unit/entities/decline-size',
  'unit/models/(account-influence|first-model|run-training)',
  'unit/outbound/guarded-client',
  'unit/outcomes/declines',
  'unit/queue/warehouse',
  'unit/regular-expressions',
  'unit/rules/(backtest|counters)',
  'unit/runtime/wire-values',
  'unit/screening/(explanations|exposure|records|repeats|score|waves)',
  'unit/store/(entities/entity-items|stored-items)',
].map((path) => `/test/${path}`);

// A change rarely breaks these, and they are long: `npm run test:nightly`.
const NIGHTLY = [
  'browser/(demo-shop|dashboard|docs|model-report)',
  'browser/console/(desk|organization-sign-in|overview|rules|team)',
  'infra/(second-opinion|synth-matrix)',
  'e2e/(built-handlers|command-policies|webhooks/delivery-kills|demo|every-grant|guides|mcp|model-following)',
  'e2e/(python-client|recipes|stories)',
  'e2e/local/(command-line|listen|restart|strictness)',
  'unit/entities/(spread-histories|windows)',
  'unit/ip/ip-table',
  'unit/load/scale',
  'unit/sdk-client/package',
  'unit/sdk-device',
  'unit/summary-reporter',
  'unit/training/(export|import/sample-files|simulation)',
].map((path) => `/test/${path}`);

const named = (paths) => ({ testMatch: undefined, testRegex: paths.map((path) => `${path}.*\\.test\\.ts$`) });

module.exports = {
  testTimeout: 30_000 * Number(process.env.PATIENCE),
  // Suites wait for DynamoDB Local and the local run much of their time: three at once, even on two cores.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  testSequencer: '<rootDir>/test/support/slowest-first.cjs',
  reporters: [
    'default',
    [
      '<rootDir>/test/support/summary-reporter.cjs',
      {
        logDir: `${__dirname}/.local/test-logs`,
        timings: 'test/support/suite-seconds.json',
        elsewhere: {
          nightly: 'long, and rarely broken by a change: `npm run test:nightly`',
          soak: 'promises about time under load, which `npm run test:soak` runs at full size',
        },
      },
    ],
  ],
  projects: [
    layer('unit', { testPathIgnorePatterns: [...SLOW, ...NIGHTLY] }),
    layer('slow', { ...named(SLOW), testPathIgnorePatterns: NIGHTLY }),
    layer('contract', synthesized),
    layer('infra', { ...synthesized, testPathIgnorePatterns: NIGHTLY }),
    layer('integration', { ...running, setupFilesAfterEnv: ['<rootDir>/test/support/generous-budgets.ts'] }),
    layer('e2e', { ...strict, testPathIgnorePatterns: NIGHTLY }),
    // A real Chromium, driven by playwright-core: skipped, and said so, where there is none.
    layer('browser', { ...running, testPathIgnorePatterns: NIGHTLY }),
    layer('nightly', { ...strict, ...named(NIGHTLY) }),
    // Promises about time under load: left out of `npm test`, at full size in `npm run test:soak`.
    layer('soak', running),
  ],
};
