import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTES } from '../../shared/routes';
import { expectCleanLogs, leaksIn } from '../support/log-leaks';

const clean = {
  level: 'INFO',
  message: 'request',
  timestamp: '2026-11-14T03:00:00.000Z',
  service: 'screen-transaction',
  stage: 'sandbox',
  operation: 'screen-transaction',
  request_id: '5eb6caf1-ce83-4945-aa0c-4905b07f4d06',
  account_id: 'acc_01M7F05XSQBS0PDWGRQBBTGXKA',
  status: 200,
  duration_ms: 12,
  Decisions: 1,
};
const leaks = (over: object): string[] => leaksIn(JSON.stringify({ ...clean, ...over }));
const failing = (message: string) => ({
  level: 'ERROR',
  error: { name: 'Error', message, stack: `Error: ${message}` },
});

const bodies = ROUTES.flatMap((route) =>
  'requestExample' in route && route.requestExample ? [[route.operation, route.requestExample as object] as const] : [],
);

describe('what a log may hold', () => {
  it('is what our lines have', () => {
    expect(leaks({})).toEqual([]);
    expect(leaks(failing('connect ECONNREFUSED 127.0.0.1:8000 at 05:00:45.261'))).toEqual([]);
    expect(leaks({ level: 'ERROR', message: 'dependency failed', code: 'unavailable' })).toEqual([]);
  });

  it.each(bodies)('is not the body of %s, under any name', (_operation, body) => {
    for (const name of ['body', 'event', 'request', 'input']) expect(leaks({ [name]: body })).not.toEqual([]);
    for (const name of Object.keys(clean)) expect(leaks({ [name]: body })).not.toEqual([]);
    expect(leaks({ message: JSON.stringify(body) })).not.toEqual([]);
    expect(leaks(failing(`Unexpected token in ${JSON.stringify(body)}`))).not.toEqual([]);
    expect(leaks({ error: { name: 'Error', message: 'x', body } })).not.toEqual([]);
  });

  it.each(bodies)('is not a member of the body of %s', (_operation, body) => {
    // Words of the contract, which are nobody's.
    const { decision, event_type, outcome, ...rest } = body as Record<string, unknown>;
    for (const [name, value] of Object.entries(rest)) expect(leaks({ [name]: value })).not.toEqual([]);
  });

  it.each([
    ['4111 1111 1111 1111'],
    ['paid with 5500-0000-0000-0004 today'],
    ['378282246310005'],
    ['ada@example.com'],
    ['from 91.0.0.1'],
    ['from 2001:db8::8a2e:370:7334'],
    [`${['sk', 'test'].join('_')}_abcdefgh`],
    ['whsec_c2VjcmV0'],
    ['Bearer abc'],
  ])('is not %s, in a message, an error or its cause', (secret) => {
    expect(leaks({ message: `failed: ${secret}` })).not.toEqual([]);
    expect(leaks(failing(secret))).not.toEqual([]);
    expect(leaks({ error: { name: 'E', message: 'x', cause: { name: 'E', message: secret } } })).not.toEqual([]);
  });

  it('is not an id in the place of another', () => {
    expect(leaks({ account_id: 'user-1' })).not.toEqual([]);
    expect(leaks({ request_id: 'ada' })).not.toEqual([]);
  });

  it('is found in one line among many of a whole run, and said with where to look', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'planted-'));
    const write = (...lines: object[]) =>
      writeFileSync(join(dataDir, 'logs', 'screen.log'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    mkdirSync(join(dataDir, 'logs'));
    write(clean, clean, clean);
    expect(() => expectCleanLogs(dataDir)).not.toThrow();
    write(clean, { ...clean, message: 'refused ada@example.com' }, clean);
    expect(() => expectCleanLogs(dataDir)).toThrow(/screen\.log: an e-mail address/);
    rmSync(dataDir, { recursive: true });
  });

  it('is nothing that is not listed', () => {
    expect(leaks({ user: 'x' })).toEqual(['it has the member user, which nobody allowed']);
    expect(leaksIn('a line that is no JSON')).not.toEqual([]);
  });
});
