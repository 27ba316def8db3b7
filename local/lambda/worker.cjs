// One Lambda execution environment: loads the bundle once, then runs one invocation at a time.
// Plain CommonJS, so that a thread starts without a TypeScript loader.
const { join } = require('node:path');
const { parentPort, workerData } = require('node:worker_threads');

const { taskRoot, handlerName, clock, context: fixed } = workerData;

// With its own clock, the thread is ahead of the machine; deadlines of invocations still use the machine's clock.
const machineNow = Date.now;
if (clock) {
  const offset = new Float64Array(clock);
  const now = () => machineNow() + offset[0];
  const MachineDate = Date;
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, args) => (args.length === 0 ? new target(now()) : new target(...args)),
    apply: () => new MachineDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}

// As messages, not through the thread's own streams: lines then arrive before the result of their invocation.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk, encoding, callback) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    parentPort.postMessage({ log: text });
    const done = typeof encoding === 'function' ? encoding : callback;
    if (done) process.nextTick(done);
    return true;
  };
}

const describe = (error) =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') }
    : { errorType: typeof error, errorMessage: String(error), trace: [] };

const die = (error) => {
  parentPort.postMessage({ fatal: describe(error) });
  process.exit(1);
};
process.on('uncaughtException', die);
process.on('unhandledRejection', die);

const load = () => {
  const dot = handlerName.lastIndexOf('.');
  const found = require(join(taskRoot, handlerName.slice(0, dot)))[handlerName.slice(dot + 1)];
  if (typeof found !== 'function') throw new Error(`${handlerName} is not exported by the bundle`);
  return found;
};

const invoke = async (handler, { event, requestId, deadlineMs, traceId }) => {
  process.env._X_AMZN_TRACE_ID = traceId;
  const context = {
    ...fixed,
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - machineNow()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
  try {
    const result = await handler(JSON.parse(event), context);
    // Lambda passes results as JSON: what JSON cannot represent must be lost here too.
    parentPort.postMessage({ result: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    parentPort.postMessage({ failure: describe(error) });
  }
};

let handler;
try {
  handler = load();
} catch (error) {
  die(error);
}
parentPort.on('message', (message) => void invoke(handler, message));
parentPort.postMessage({ ready: true });
