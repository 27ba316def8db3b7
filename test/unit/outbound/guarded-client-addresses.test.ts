import { makeAuthority, makeCertificate } from '../../../local/listen/certificates';
import { isDeliverableAddress } from '../../../shared/domain/webhooks/deliverable-address';
import { type GuardedPost, postGuarded } from '../../../shared/outbound/guarded-client';
import { type LookupAll, resolvePublic, systemLookup } from '../../../shared/outbound/resolve-public';
import { countConnections } from '../../support/tls/count-connections';
import { startTcpReceiver, startTlsReceiver } from '../../support/tls/tls-receiver';
import { NOT_PUBLIC, ODD_URLS, PUBLIC } from './addresses';
import { fixedLookup, postToLoopback } from './post-to-loopback';

const attempt = (change: Partial<GuardedPost>) =>
  countConnections(() =>
    postGuarded({
      url: 'https://public.example/hooks',
      headers: {},
      body: Buffer.from('{}'),
      now: () => performance.now(),
      deadlineMs: 2_000,
      lookup: fixedLookup('127.0.0.1'),
      ...change,
    }),
  );

const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

it('the table has 37 addresses', () => expect(new Set(NOT_PUBLIC.map(([address]) => address)).size).toBe(37));

describe.each(NOT_PUBLIC)('%s (%s)', (address) => {
  const blocked = { result: { kind: 'blocked' }, connects: 0 };

  it('is blocked as a literal', async () => {
    const lookup = fixedLookup('93.184.216.34');
    expect(await attempt({ url: `https://${inUrl(address)}/hooks`, lookup })).toMatchObject(blocked);
    expect(lookup.asked).toEqual([]);
    expect(isDeliverableAddress(address, [])).toBe(false);
  });

  it('is blocked as the answer of DNS', async () => {
    expect(await attempt({ lookup: fixedLookup(address) })).toMatchObject(blocked);
  });

  it('is blocked first, amid and last among public answers', async () => {
    for (const at of [0, 1, 2]) {
      const answers = ['93.184.216.34', '2606:4700:4700::1111'].toSpliced(at, 0, address);
      expect(await attempt({ lookup: fixedLookup(...answers) })).toMatchObject(blocked);
    }
  });
});

it.each(ODD_URLS)('%s is blocked and opens no socket', async (url) => {
  const { result, connects } = await attempt({ url });
  expect([result.kind, connects]).toEqual(['blocked', 0]);
});

it.each(['', 'not an address', '127.0.0.1:443', 'fe80::1%eth0', '1.1.1', '::ffff:1.1.1.1/8'])(
  'an answer of DNS that reads %j is blocked',
  async (address) => {
    const { result, connects } = await attempt({ lookup: fixedLookup(address) });
    expect([result.kind, connects]).toEqual(['blocked', 0]);
  },
);

it.each(PUBLIC)('%s passes, as a literal and as an answer', async (address) => {
  const lookup = fixedLookup(address);
  const passed = { kind: 'addresses', addresses: [{ address }] };
  expect(await resolvePublic(address, lookup, [])).toMatchObject(passed);
  expect(lookup.asked).toEqual([]);
  expect(await resolvePublic('public.example', lookup, [])).toMatchObject(passed);
});

describe('rebinding', () => {
  /** A name that moves every time it is asked. */
  const moving = (...turns: readonly string[]): LookupAll & { asked: () => number } => {
    let asked = 0;
    const lookup: LookupAll = async () => [{ address: turns[asked++] ?? '127.0.0.1', family: 4 }];
    return Object.assign(lookup, { asked: () => asked });
  };

  it('between registration and sending: what was public is blocked once it is not, without a socket', async () => {
    const trap = await startTcpReceiver();
    const lookup = moving('93.184.216.34', '127.0.0.1');
    expect((await resolvePublic('public.example', lookup, [])).kind).toBe('addresses');
    const { result, connects } = await attempt({ url: `https://public.example:${trap.port}/`, lookup });
    expect([result.kind, connects, trap.connections()]).toEqual(['blocked', 0, 0]);
    await trap.close();
  });

  it('between check and connect: there is one look-up, and its answer is where the connection goes', async () => {
    const authority = await makeAuthority();
    const certificate = await makeCertificate({ names: ['receiver.test'], authority });
    const checked = await startTlsReceiver(certificate, (_request, response) => response.end());
    const trap = await startTlsReceiver(certificate, (_request, response) => response.end(), {
      address: '127.0.0.2',
      port: checked.port,
    });
    const lookup = moving('127.0.0.1', '127.0.0.2', '127.0.0.2');
    const { result, connects } = await countConnections(() => postToLoopback(checked.port, authority.cert, { lookup }));
    expect([result.kind, connects, lookup.asked()]).toEqual(['delivered', 1, 1]);
    expect([checked.connections(), trap.connections()]).toEqual([1, 0]);
    await Promise.all([checked.close(), trap.close()]);
  });
});

describe('the escape hatch', () => {
  it('opens its blocks and no others', async () => {
    const allowCidrs = ['127.0.0.0/8', '::1/128'];
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect([address, isDeliverableAddress(address, allowCidrs)]).toEqual([address, true]);
    }
    for (const address of ['10.0.0.1', '169.254.169.254', '::2', '::7f00:1', 'fd00:ec2::254']) {
      expect([address, isDeliverableAddress(address, allowCidrs)]).toEqual([address, false]);
    }
    const mixed = await attempt({ allowCidrs, lookup: fixedLookup('127.0.0.1', '10.0.0.1') });
    expect([mixed.result.kind, mixed.connects]).toEqual(['blocked', 0]);
  });

  it('resolves localhost as this machine does', async () => {
    const resolution = await resolvePublic('localhost', systemLookup, ['127.0.0.0/8', '::1/128']);
    expect(resolution.kind).toBe('addresses');
    expect((await resolvePublic('localhost', systemLookup, [])).kind).toBe('blocked');
  });
});
