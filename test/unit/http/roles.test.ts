import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import {
  isAllowed,
  PERMISSIONS,
  permissionsOf,
  ROLES,
  type Role,
  roleOrAdmin,
} from '../../../shared/domain/accounts/role';
import { callerContext } from '../../../shared/http/caller';
import { type AnswerOnceDeps, endpoint } from '../../../shared/http/endpoint';
import { ROUTES } from '../../../shared/routes';
import { resolveCaseRoute } from '../../../shared/routes/cases';
import type { Route } from '../../../shared/routes/define-route';
import { eventOf } from '../../support/proxy-event';

const deps: AnswerOnceDeps = {
  clock: { now: () => 0 },
  log: { info: () => undefined, error: () => undefined },
  answers: { find: async () => undefined },
};

const context = {} as Parameters<ReturnType<typeof endpoint>>[1];

/** A request by a key of this role; what it asks for is nonsense, which only matters once the role was checked. */
function requestAs(role: Role, { method, path }: Route, body?: string, person?: string) {
  const event = eventOf(method, path, { headers: [['Content-Type', 'application/json']], ...(body ? { body } : {}) });
  const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS, role };
  event.requestContext.authorizer = { ...callerContext(person ? { ...caller, person } : caller) };
  return event;
}

const routes: readonly Route[] = ROUTES;
const withKey = routes.filter((route) => !route.public);
const matrix = withKey.flatMap((route) => ROLES.map((role) => [route.operation, role, route] as const));

it('names a permission for every route with a key, and for no other', () => {
  for (const route of routes)
    expect([route.operation, route.permission === 'none']).toEqual([route.operation, route.public === true]);
});

it.each(matrix)('%s by %s: refused exactly if the role lacks the permission', async (_name, role, route) => {
  let hasRun = false;
  const handler = endpoint(route, deps, async () => {
    hasRun = true;
    return {};
  });
  // Bytes that are not even JSON: a role is checked before the body is read.
  const { statusCode, body } = await handler(requestAs(role, route, 'not json'), context);
  const permission = route.permission as (typeof PERMISSIONS)[number];
  if (isAllowed(role, permission)) {
    expect(statusCode).not.toBe(403);
    return;
  }
  expect([statusCode, hasRun]).toEqual([403, false]);
  const { error } = JSON.parse(body);
  expect(error).toMatchObject({ code: 'forbidden', message: expect.stringContaining(`permission ${permission}`) });
});

it('gives each role what was decided', () => {
  expect(permissionsOf('admin')).toEqual(PERMISSIONS);
  expect(permissionsOf('server')).toEqual(['screen', 'read', 'outcomes']);
  expect(permissionsOf('analyst')).toEqual(['read', 'cases', 'decisions', 'list_entries']);
  expect(permissionsOf('readonly')).toEqual(['read']);
});

it('takes a key without a role for one from before there were roles, and an unknown role for the least', () => {
  expect([roleOrAdmin(undefined), roleOrAdmin('server'), roleOrAdmin('owner')]).toEqual([
    'admin',
    'server',
    'readonly',
  ]);
});

describe('the author of a request', () => {
  const seen: unknown[] = [];
  const handler = endpoint(resolveCaseRoute, deps, async ({ body, caller }) => {
    seen.push([body.analyst_id, caller.person]);
    return {} as never;
  });
  async function authorOf(body: object, person?: string) {
    seen.length = 0;
    const route = { ...resolveCaseRoute, path: '/v1/cases/case_01K9ZC3V5T8QJ4M2N6P7R8S9TB' };
    const event = requestAs('analyst', route as Route, JSON.stringify({ status: 'approved', ...body }), person);
    const answered = JSON.parse((await handler(event, context)).body);
    return { seen: seen[0], warnings: answered.warnings };
  }

  it('is the person whose key it is, whatever the body says, with a warning if that differs', async () => {
    expect(await authorOf({}, 'ana.silva')).toEqual({ seen: ['ana.silva', 'ana.silva'], warnings: undefined });
    expect(await authorOf({ analyst_id: 'ana.silva' }, 'ana.silva')).toMatchObject({ warnings: undefined });
    expect(await authorOf({ analyst_id: 'bo' }, 'ana.silva')).toEqual({
      seen: ['ana.silva', 'ana.silva'],
      warnings: ['analyst_id was ignored: this key belongs to ana.silva.'],
    });
  });

  it('is whom the body names when the key is nobody’s', async () => {
    expect(await authorOf({ analyst_id: 'bo' })).toEqual({ seen: ['bo', undefined], warnings: undefined });
    expect(await authorOf({})).toEqual({ seen: [undefined, undefined], warnings: undefined });
  });
});
