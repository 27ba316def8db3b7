// Receives and verifies deliveries with nothing but Node. Run: WEBHOOK_SECRET=whsec_… node node-crypto.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const TOLERANCE_SECONDS = 300;

/** The message, or an error when the delivery is not ours, was changed on its way or is a replay. */
export function verifyDelivery(rawBody, headers, secret) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!/^\d+$/.test(timestamp)) throw new Error('no timestamp');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) throw new Error('too old or too new');

  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  const matches = (headers['webhook-signature'] ?? '')
    .split(' ')
    .map((given) => Buffer.from(given))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  if (!matches) throw new Error('the signature does not match');
  return JSON.parse(rawBody);
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const message = verifyDelivery(Buffer.concat(chunks), request.headers, process.env.WEBHOOK_SECRET);
    console.log(`verified ${message.id} ${message.type}`);
    response.writeHead(204).end(); // answer first, within 10 s; then do the work
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
});
server.listen(Number(process.env.PORT ?? 8080), () => console.log(`listening on ${server.address().port}`));
