import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJsonFile, writeNewJsonFile } from '../../../local/data-directory';
import { localDoor, trustedCertificate } from '../../../local/listen/certificates';
import { forwardDelivery } from '../../../local/listen/start-listener';

const delivery = {
  headers: { host: 'localhost:8443', 'content-length': '7', 'webhook-id': 'msg_1', 'content-type': 'application/json' },
  body: Buffer.from('{"ö":1}'),
};

describe('forwarding', () => {
  it('hands on the same bytes and signature, and the answer back', async () => {
    const came: { headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      came.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(418).end();
    }).listen(0);
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    expect(await forwardDelivery(delivery, url)).toEqual({ status: 418, said: `${url} answered 418` });
    expect(came).toMatchObject([{ headers: { 'webhook-id': 'msg_1', 'content-length': '8' }, body: '{"ö":1}' }]);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    expect(await forwardDelivery(delivery, url)).toEqual({ status: 502, said: `${url} did not respond: ECONNREFUSED` });
  });
});

describe('the authority of this machine', () => {
  const house = mkdtempSync(join(tmpdir(), 'authority-'));
  afterAll(() => rmSync(house, { recursive: true }));

  it('is one, however many start at once, and is kept', async () => {
    const directory = join(house, 'listen');
    const [door] = await Promise.all([
      localDoor(1, directory),
      trustedCertificate(1, directory),
      localDoor(1, directory),
      trustedCertificate(1, directory),
    ]);
    const kept = readJsonFile(join(directory, 'authority.json'), { cert: '', made_at_ms: 0 });
    expect(readFileSync(door.WEBHOOK_EXTRA_CA ?? '', 'utf8')).toBe(kept.cert);
    await localDoor(2, directory);
    expect(readJsonFile(join(directory, 'authority.json'), kept).made_at_ms).toBe(1);
    await localDoor(200 * 24 * 3_600_000, directory);
    expect(readJsonFile(join(directory, 'authority.json'), kept).made_at_ms).toBe(200 * 24 * 3_600_000);
  });

  it('the first one to write a new file wins', () => {
    const file = join(house, 'new.json');
    expect([writeNewJsonFile(file, 1), writeNewJsonFile(file, 2), readJsonFile(file, 0)]).toEqual([true, false, 1]);
  });
});
