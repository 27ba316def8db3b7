import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeAuthority, makeCertificate } from '../../local/listen/certificates';
import type { Random } from '../../shared/domain/models/seeded-random';
import type { Told } from './evidence';

/** A merchant's receiver: some of its answers are 500s. */
export interface ChaosReceiver {
  readonly told: Told[];
  readonly env: Readonly<Record<string, string>>;
  /** What was answered with a 500, and so must be redelivered. */
  refused(): number;
  urlFor(accountId: string): string;
  close(): Promise<void>;
}

/** Listens on loopback; a request that it refuses counts as not received. */
export async function startReceiver(
  authorityFile: string,
  random: Random,
  refusedShare: () => number,
): Promise<ChaosReceiver> {
  const authority = await makeAuthority();
  writeFileSync(authorityFile, authority.cert);
  const { key, cert } = await makeCertificate({ names: ['localhost'], addresses: ['127.0.0.1'], authority });
  const told: Told[] = [];
  let refused = 0;
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (random() < refusedShare()) {
        refused += 1;
        response.writeHead(500).end();
        return;
      }
      const body = Buffer.concat(chunks).toString();
      const { id, type } = JSON.parse(body) as { id: string; type: string };
      told.push({ account_id: (request.url ?? '').slice(1), message_id: id, type, body, atMs: Date.now() });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    told,
    env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128', WEBHOOK_EXTRA_CA: authorityFile },
    refused: () => refused,
    urlFor: (accountId) => `https://localhost:${port}/${accountId}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
