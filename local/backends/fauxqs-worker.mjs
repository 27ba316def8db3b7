// fauxqs in a separate thread: it is ESM only (jest loads CommonJS), and its work stays off the gateway's loop.
// `buildApp` and not `startFauxqs`, which listens on every interface of the machine.
import { parentPort } from 'node:worker_threads';
import { buildApp } from 'fauxqs';

const app = buildApp({ logger: false });
await app.listen({ port: 0, host: '127.0.0.1' });
parentPort.postMessage({ port: app.server.address().port });
