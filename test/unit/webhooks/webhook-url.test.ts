import { isPublicAddress } from '../../../shared/domain/ip/network-address';
import { webhookUrlFault } from '../../../shared/domain/webhooks/webhook-url';

const PRIVATE = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'ff02::1',
  '::7f00:1',
  '4000::1',
];
const PUBLIC = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'];

describe('addresses a webhook may point at', () => {
  it.each(PRIVATE)('%s is not public, and refused as a literal', (address) => {
    expect(isPublicAddress(address)).toBe(false);
    const host = address.includes(':') ? `[${address}]` : address;
    expect(webhookUrlFault(`https://${host}/hook`)).toContain('private');
  });

  it.each(PUBLIC)('%s is public, and accepted', (address) => {
    expect(isPublicAddress(address)).toBe(true);
    const host = address.includes(':') ? `[${address}]` : address;
    expect(webhookUrlFault(`https://${host}:8443/hook`)).toBeUndefined();
  });

  it.each([
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127.0.0.1./',
    'https://[::ffff:7f00:1]/',
  ])('sees through %s', (url) => {
    expect(webhookUrlFault(url)).toContain('private');
  });

  it.each([
    ['http://example.com/', 'https'],
    ['ftp://example.com/', 'https'],
    ['javascript:alert(1)', 'https'],
    ['example.com/hooks', 'absolute'],
    ['', 'absolute'],
    ['https://', 'absolute'],
    ['https://user@example.com/', 'user name'],
    ['https://user:pw@example.com/', 'user name'],
    ['https://localhost/', 'local host'],
    ['https://a.localhost/', 'local host'],
    ['https://printer.local/', 'local host'],
    ['https://db.internal./', 'local host'],
    ['https://metadata.google.internal/', 'local host'],
    ['https://intranet/', 'public host'],
    ['https://example.com/a b', 'control'],
    ['https://example.com/\u0007', 'control'],
    ['https://exa\tmple.com/', 'control'],
    [`https://example.com/${'a'.repeat(2048)}`, '2048'],
  ])('refuses %s', (url, reason) => {
    expect(webhookUrlFault(url)).toContain(reason);
  });

  it.each([
    'https://example.com',
    'https://example.com:8443/a/b?c=d',
    'https://hooks.example.co.uk/ä',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('accepts %s', (url) => {
    expect(webhookUrlFault(url)).toBeUndefined();
  });

  it('opens this machine only through the escape hatch', () => {
    const cidrs = ['127.0.0.0/8', '::1/128'];
    for (const url of ['https://127.0.0.1:9443/', 'https://localhost:9443/', 'https://[::1]:9443/']) {
      expect(webhookUrlFault(url)).toBeDefined();
      expect(webhookUrlFault(url, cidrs)).toBeUndefined();
    }
    expect(webhookUrlFault('https://10.0.0.1/', cidrs)).toBeDefined();
    expect(webhookUrlFault('https://printer.local/', cidrs)).toBeDefined();
    expect(webhookUrlFault('http://localhost:9443/', cidrs)).toBeDefined();
  });
});
