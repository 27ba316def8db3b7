import type { ServerOptions } from 'node:https';
import { connect, type SecureVersion } from 'node:tls';
import { type Certificate, makeAuthority, makeCertificate } from '../../../local/listen/certificates';
import { postGuarded } from '../../../shared/outbound/guarded-client';
import { startTcpReceiver, startTlsReceiver } from '../../support/tls/tls-receiver';
import { postToLoopback } from './post-to-loopback';

const DAY_MS = 86_400_000;
const NAMES = { names: ['receiver.test'] };

let authority: Certificate;
beforeAll(async () => {
  authority = await makeAuthority();
});

/** What a client that trusts `authority` says to a server, and how many requests the server saw. */
async function attempt(certificate: Certificate, options: ServerOptions = {}, extraCa: string = authority.cert) {
  let requests = 0;
  const listener = (_request: unknown, response: { end(): unknown }) => {
    requests += 1;
    response.end();
  };
  const receiver = await startTlsReceiver(certificate, listener, options);
  try {
    return { outcome: await postToLoopback(receiver.port, extraCa), requests };
  } finally {
    await receiver.close();
  }
}

const days = (count: number): Date => new Date(Date.now() + count * DAY_MS);

describe('certificates', () => {
  it('one of a trusted authority for the name is accepted', async () => {
    const good = await makeCertificate({ ...NAMES, authority });
    expect(await attempt(good)).toMatchObject({ outcome: { kind: 'delivered' }, requests: 1 });
  });

  it.each<[string, () => Promise<Certificate>, string]>([
    ['self-signed', () => makeCertificate(NAMES), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [
      'of an unknown authority',
      async () => makeCertificate({ ...NAMES, authority: await makeAuthority('Another') }),
      'UNABLE_TO_',
    ],
    ['for another name', () => makeCertificate({ names: ['other.test'], authority }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [
      'for the address, not the name',
      () => makeCertificate({ addresses: ['127.0.0.1'], authority }),
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    [
      'for a wildcard two levels up',
      () => makeCertificate({ names: ['*.test.example'], authority }),
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    [
      'expired',
      () => makeCertificate({ ...NAMES, authority, notBefore: days(-9), notAfter: days(-1) }),
      'CERT_HAS_EXPIRED',
    ],
    [
      'not valid yet',
      () => makeCertificate({ ...NAMES, authority, notBefore: days(1), notAfter: days(9) }),
      'CERT_NOT_YET_VALID',
    ],
  ])('one %s is refused, and nothing is sent', async (_what, make, reason) => {
    const { outcome, requests } = await attempt(await make());
    expect(outcome).toEqual({ kind: 'tls', reason: expect.stringMatching(reason), duration_ms: expect.any(Number) });
    expect(requests).toBe(0);
  });

  it('without the escape hatch only the public authorities are trusted', async () => {
    const receiver = await startTlsReceiver(await makeCertificate({ names: ['localhost'], authority }), (_q, answer) =>
      answer.end(),
    );
    const outcome = await postGuarded({
      url: `https://localhost:${receiver.port}/`,
      headers: {},
      body: Buffer.from('{}'),
      now: () => performance.now(),
      allowCidrs: ['127.0.0.0/8', '::1/128'],
    });
    await receiver.close();
    expect(outcome.kind).toBe('tls');
  });
});

describe('versions of TLS', () => {
  // SECLEVEL=0 is what makes OpenSSL 3 offer the old ones at all.
  const only = (version: SecureVersion) => ({
    minVersion: version,
    maxVersion: version,
    ciphers: 'ALL:@SECLEVEL=0',
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is accepted', async (version) => {
    const good = await makeCertificate({ ...NAMES, authority });
    expect((await attempt(good, { minVersion: version, maxVersion: version })).outcome.kind).toBe('delivered');
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('%s is refused, although the server does speak it', async (version) => {
    const good = await makeCertificate({ ...NAMES, authority });
    const { outcome, requests } = await attempt(good, only(version));
    expect(outcome).toMatchObject({ kind: 'tls' });
    expect(requests).toBe(0);

    const receiver = await startTlsReceiver(good, (_request, response) => response.end(), only(version));
    const spoken = await new Promise((resolve, reject) => {
      const socket = connect(
        { port: receiver.port, host: '127.0.0.1', servername: 'receiver.test', ca: authority.cert, ...only(version) },
        () => {
          resolve(socket.getProtocol());
          socket.destroy();
        },
      ).on('error', reject);
    });
    await receiver.close();
    expect(spoken).toBe(version);
  });
});

it('a port that speaks plain HTTP is refused as TLS', async () => {
  const plain = await startTcpReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  expect((await postToLoopback(plain.port, authority.cert)).kind).toBe('tls');
  await plain.close();
});
