// Receives deliveries and verifies them with the npm package `stripe`. Run: WEBHOOK_SECRET=whsec_… node stripe.mjs
import { createServer } from 'node:http';
import Stripe from 'stripe';

// No call to Stripe is made; the library merely wants a key to be constructed.
const stripe = new Stripe('sk_test_unused');

/** The message, or an error when the delivery is not ours, was changed on its way or is a replay. */
export function verifyDelivery(rawBody, headers, secret) {
  return stripe.webhooks.constructEvent(rawBody, headers['x-service-signature'], secret);
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
