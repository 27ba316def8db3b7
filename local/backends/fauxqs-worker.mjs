// fauxqs in a separate thread: it is ESM only (jest loads CommonJS), and its work stays off the gateway's loop.
// `buildApp` and not `startFauxqs`, which listens on every interface of the machine.
import { parentPort, workerData } from 'node:worker_threads';
import { buildApp } from 'fauxqs';

const app = buildApp({ logger: false });
// fauxqs asks nobody who they are, and a web page can send requests to any port of this machine.
app.addHook('onRequest', async (request, reply) => {
  const isOurs = request.headers.authorization?.includes(`Credential=${workerData}/`);
  if (!isOurs) await reply.code(403).send({ message: 'Only the local run may call this emulator.' });
});
await app.listen({ port: 0, host: '127.0.0.1' });
parentPort.postMessage({ port: app.server.address().port });
