import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../../local/local-options';
import { isAllowed, type Permission, ROLES, type Role } from '../../../shared/domain/accounts/role';
import { ROUTES } from '../../../shared/routes';
import type { Route } from '../../../shared/routes/define-route';
import { adminWiring, localClient, stageAddress } from '../../../shared/runtime/admin-wiring';
import { createAccount, createKey } from '../../../shared/usecases/accounts/administer-accounts';
import { expectCleanLogs } from '../../support/audits/log-leaks';
import { keepLogs, startLocalRun, stopLocalRun } from '../../support/local-run';
import { describeInBrowser } from '../../support/machine/chromium';
import { startProvider } from '../../support/openid/start-provider';
import { patient } from '../../support/patience';
import { type Analyst, expectAccessible, openConsole, openConsoleAt, useConsole } from './analyst';

const ROOT = join(__dirname, '../../..');
const SANDBOX = join(ROOT, 'test/support/synthesize-sandbox.ts');

const claims = (role: string, account: string) => ({
  fraud_screening_role: role,
  fraud_screening_account: account,
});

describeInBrowser('signing in to the console with the organization', () => {
  useConsole();
  const dataDir = mkdtempSync(join(tmpdir(), 'organization-sign-in-'));
  // Outside its data directory, which a run in memory empties at the start.
  const assembly = `${dataDir}-assembly`;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let service: Awaited<ReturnType<typeof startLocalRun>>;
  let url: string;
  let key: string;
  let account: string;
  let otherAccount: string;

  // A separate stack: who signs people in is decided when the template is made.
  beforeAll(async () => {
    provider = await startProvider();
    const { issuer, clientId } = provider;
    await synthesize({
      app: SANDBOX,
      outdir: assembly,
      root: ROOT,
      context: { oidcIssuer: issuer, oidcClientId: clientId },
    });
    service = await startLocalRun(dataDir, [], { LOCAL_ASSEMBLY: assembly });
    ({ url } = service.run);
    const admin = adminWiring('sandbox', stageAddress(service.run.outputs, localClient(service.run)));
    ({ account_id: account } = await createAccount(admin, 'Shop'));
    ({ account_id: otherAccount } = await createAccount(admin, 'Other shop'));
    ({ key } = await createKey(admin, account, null));
    await provider.open(`${url}/console/`, {
      'ana.silva': claims('analyst', account),
      'otto.ruiz': claims('readonly', account),
      'eve.stranger': claims('analyst', `acc_${'Z'.repeat(26)}`),
    });
  }, patient(120_000));
  afterAll(async () => {
    await stopLocalRun(service.child);
    await provider.stop();
    keepLogs(dataDir, 'organization-sign-in');
    expectCleanLogs(dataDir);
    for (const made of [dataDir, assembly]) rmSync(made, { recursive: true, force: true });
  });

  const button = ({ page }: Analyst) =>
    page.getByRole('main').getByRole('button', { name: 'Sign in with your organization' });
  const pages = ({ page }: Analyst) => page.getByRole('navigation', { name: 'Pages', exact: true });
  const tokensOf = ({ page }: Analyst): Promise<{ access: string; refresh: string } | null> =>
    page.evaluate(() => JSON.parse(sessionStorage.getItem('sign-in.tokens') ?? 'null'));
  const call = (token: string, method: string, path: string, body?: object) =>
    fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  async function signInAs(analyst: Analyst, person: string): Promise<void> {
    const { page } = analyst;
    await button(analyst).click();
    await page.locator('input[name=login]').fill(person);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
  }

  it('goes by code and PKCE, comes back to the same place, survives a reload and proves the person', async () => {
    const analyst = await openConsoleAt(`${url}/console/#/queue?status=rejected`);
    const { page } = analyst;
    await button(analyst).waitFor();
    await expectAccessible(analyst);
    const leaving = page.waitForRequest((request) => request.url().startsWith(`${provider.issuer}/auth?`));
    const redeeming = page.waitForRequest((request) => request.url() === `${provider.issuer}/token`);
    await signInAs(analyst, 'ana.silva');
    const asked = new URL((await leaving).url()).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: 'review-console',
      redirect_uri: `${url}/console/`,
    });
    const redeemed = new URLSearchParams((await redeeming).postData() ?? '');
    expect(redeemed.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    await pages(analyst).waitFor();
    // Neither code nor state stays in the address, and the filter is as it was.
    expect(page.url()).toBe(`${url}/console/#/queue?status=rejected`);
    await page.getByTitle('Signed in as ana.silva, by your organization').waitFor();

    await page.reload();
    await pages(analyst).waitFor();
    expect(page.url()).toBe(`${url}/console/#/queue?status=rejected`);

    const { access = '' } = (await tokensOf(analyst)) ?? {};
    const me = (await (await call(access, 'GET', '/v1/me')).json()) as object;
    expect(me).toMatchObject({ person: 'ana.silva', role: 'analyst', key_id: expect.stringMatching(/^oidc_/) });
    expect((await call(access, 'GET', '/v1/cases')).status).toBe(200);
    const rule = { expression: 'amount > 1', action: 'review' };
    expect((await call(access, 'PUT', '/v1/rules/big', rule)).status).toBe(403);
    const [head = '', body = '', signature = ''] = access.split('.');
    const forged = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), fraud_screening_role: 'admin' };
    const other = [head, Buffer.from(JSON.stringify(forged)).toString('base64url'), signature].join('.');
    expect((await call(other, 'GET', '/v1/me')).status).toBe(401);
  });

  it('renews a token before it ends, and asks again once the provider no longer does', async () => {
    const analyst = await openConsoleAt(`${url}/console/`);
    const { page } = analyst;
    await signInAs(analyst, 'otto.ruiz');
    await pages(analyst).waitFor();
    const before = await tokensOf(analyst);
    await page.clock.fastForward(4 * 60_000 + 1_000);
    await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('main').getByRole('heading', { name: 'Overview' }).waitFor();
    await page.waitForFunction(
      (old) => JSON.parse(sessionStorage.getItem('sign-in.tokens') ?? '{}').access !== old,
      before?.access,
    );
    await page.route(`${provider.issuer}/token`, (route) =>
      route.fulfill({
        status: 400,
        json: { error: 'invalid_grant' },
        headers: { 'Access-Control-Allow-Origin': '*' },
      }),
    );
    // The page counts open cases every minute, whatever it shows.
    await page.clock.fastForward(5 * 60_000);
    await page.getByRole('main').getByText('Your sign-in has ended').waitFor();
    expect([await tokensOf(analyst), await pages(analyst).count()]).toEqual([null, 0]);
  });

  it('signs out here and at the provider', async () => {
    const analyst = await openConsoleAt(`${url}/console/`);
    const { page } = analyst;
    await signInAs(analyst, 'ana.silva');
    await pages(analyst).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await button(analyst).waitFor();
    expect(await tokensOf(analyst)).toBeNull();
    await button(analyst).click();
    await page.locator('input[name=login]').waitFor();
  });

  it('says so to people without access, and to those whose sign-in began elsewhere', async () => {
    const analyst = await openConsoleAt(`${url}/console/`);
    await signInAs(analyst, 'eve.stranger');
    await analyst.page.getByRole('main').getByText('have no access here').waitFor();
    expect(await tokensOf(analyst)).toBeNull();
    const sent = await openConsoleAt(`${url}/console/?code=stolen&state=made-up`);
    await sent.page.getByRole('main').getByText('did not begin in this tab').waitFor();
    expect(new URL(sent.page.url()).search).toBe('');
  });

  it('still takes keys, and tells nobody of a provider where there is none', async () => {
    expect((await call(key, 'GET', '/v1/me')).status).toBe(200);
    const elsewhere = await openConsole();
    await elsewhere.page.getByLabel('API key').waitFor();
    expect(await button(elsewhere).count()).toBe(0);
  });

  describe('roles by access token, over HTTP', () => {
    const routes = (ROUTES as readonly Route[]).filter(({ permission }) => permission !== 'none');
    const signed = (role: Role, others: object = {}): Promise<string> => {
      const now = Math.floor(Date.now() / 1000);
      const ordinary = { aud: provider.clientId, sub: `f-${role}`, preferred_username: 'ana.silva' };
      return provider.sign({ ...ordinary, iat: now, exp: now + 300, ...claims(role, account), ...others });
    };
    const ask = async ({ method, path, body }: Route, token: string) => {
      const reply = await call(token, method, path.replace(/\{\w+\}/g, 'nobody'), body ? {} : undefined);
      const text = await reply.text();
      return { status: reply.status, code: text.startsWith('{') ? JSON.parse(text).error?.code : undefined };
    };

    it.each(ROLES)('%s: every route is refused exactly if its permission is missing', async (role) => {
      const token = await signed(role);
      for (const route of routes) {
        const { status, code } = await ask(route, token);
        const isRefused = !isAllowed(role, route.permission as Permission);
        expect([route.operation, status === 403, code === 'forbidden']).toEqual([
          route.operation,
          isRefused,
          isRefused,
        ]);
        expect([route.operation, status]).not.toEqual([route.operation, 401]);
      }
    });

    it.each(ROLES)(
      '%s: expired, for another audience, or of an account that is not here: 401 everywhere',
      async (role) => {
        const refused = [
          await signed(role, { exp: Math.floor(Date.now() / 1000) - 60 }),
          await signed(role, { aud: 'another-application' }),
          await signed(role, { fraud_screening_account: `acc_${'Z'.repeat(26)}` }),
          await signed(role, { fraud_screening_role: 'owner' }),
        ];
        for (const route of routes)
          for (const token of refused)
            expect([route.operation, await ask(route, token)]).toEqual([
              route.operation,
              { status: 401, code: 'unauthorized' },
            ]);
      },
    );

    it.each(ROLES)('%s: what another account holds is not found, or not even looked for', async (role) => {
      const screening = { user_id: `own-${role}`, amount: 10, currency: 'EUR' };
      const screened = await call(key, 'POST', '/v1/transactions/screen', screening);
      const { transaction_id, decision_id } = (await screened.json()) as Record<string, string>;
      const token = await signed(role, { fraud_screening_account: otherAccount });
      const paths = [`transactions/${transaction_id}`, `decisions/${decision_id}`, `users/own-${role}/risk-profile`];
      for (const path of paths) {
        expect([path, (await call(key, 'GET', `/v1/${path}`)).status]).toEqual([path, 200]);
        expect([path, (await call(token, 'GET', `/v1/${path}`)).status]).toEqual([path, 404]);
      }
      const reviewed = await call(token, 'POST', `/v1/decisions/${decision_id}/review`, { decision: 'block' });
      expect(reviewed.status).toBe(isAllowed(role, 'decisions') ? 404 : 403);
    });
  });
});
