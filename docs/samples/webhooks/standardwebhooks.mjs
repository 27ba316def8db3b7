// Receives deliveries and verifies them with the npm package `standardwebhooks`. Run: WEBHOOK_SECRET=whsec_… node standardwebhooks.mjs
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** The message, or an error when the delivery is not ours, was changed on its way or is a replay. */
export function verifyDelivery(rawBody, headers, secret) {
  return new Webhook(secret).verify(rawBody, headers);
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
