import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { ClaimTaken, idempotencyClaim } from '../../../shared/domain/idempotency';
import { isPublicAddress } from '../../../shared/domain/ip/network-address';
import {
  after,
  type EndpointState,
  enter,
  FRESH_STATE,
  isClean,
  MAX_IN_FLIGHT,
  SLOT_LEASE_MS,
} from '../../../shared/domain/webhooks/endpoint-state';
import { afterFailure, HEALTHY, isDead } from '../../../shared/domain/webhooks/retry-schedule';
import {
  MAX_ENDPOINTS_PER_ACCOUNT,
  START_WITHIN_MS,
  webhookUrlFault,
} from '../../../shared/domain/webhooks/webhook-endpoint';
import { newId } from '../../../shared/runtime/ids';
import {
  type CreateWebhookDeps,
  createWebhook,
  deleteWebhook,
  listWebhooks,
} from '../../../shared/usecases/webhooks/manage-webhooks';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { memoryTable } from '../../support/memory/memory-table';
import { callerOf } from '../../support/traffic/payment';
import { screened, tellScreened } from '../../support/webhooks/changes';

describe('create webhook', () => {
  const NOW = Date.UTC(2026, 2, 1);
  const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };
  const input = { url: 'https://receiver.example/hooks', events: ['case.created', 'case.created'] as const };
  const claim = idempotencyClaim('POST', '/v1/webhooks', 'key', input);
  const answered = (answer: object) => ({ ...claim, status: 201, body: JSON.stringify(answer) });

  function world() {
    const table = memoryTable();
    let byte = 0;
    const deps: CreateWebhookDeps = {
      clock: { now: () => NOW },
      newId,
      randomBytes: (size) => new Uint8Array(size).fill(++byte),
      webhooks: table.webhooks.merchant,
    };
    return { table, deps };
  }

  it('registers an endpoint and shows its secret, which its sender signs with', async () => {
    const { table, deps } = world();
    const created = await createWebhook(deps, caller, input);
    expect(created).toMatchObject({ events: ['case.created'], label: null, status: 'enabled' });
    expect(created.signing_secret).toMatch(/^whsec_.{44}$/);
    const { signing_secret, ...shown } = created;
    expect(await table.webhooks.merchant.list('acc_1')).toEqual([shown]);
    expect(await table.webhooks.sender.find('acc_1', created.webhook_id)).toMatchObject({ signing_secret });
  });

  it('refuses one more than an account may have, and names the member at fault', async () => {
    const { table, deps } = world();
    for (let i = 0; i < MAX_ENDPOINTS_PER_ACCOUNT; i++) await createWebhook(deps, caller, input);
    await expect(createWebhook(deps, caller, input, answered)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'url' }],
    });
    expect(await table.webhooks.merchant.list('acc_1')).toHaveLength(MAX_ENDPOINTS_PER_ACCOUNT);
    expect(await table.answers.find('acc_1', claim.scope, NOW)).toBeUndefined();
  });

  it('records its answer with the endpoint: a repeat, even one after a lost answer, makes no second', async () => {
    const { table, deps } = world();
    const losing = {
      ...deps,
      webhooks: interpose(
        deps.webhooks,
        failing(() => 'after'),
      ),
    };
    await expect(createWebhook(losing, caller, input, answered)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(createWebhook(deps, caller, input, answered)).rejects.toBeInstanceOf(ClaimTaken);
    const [endpoint] = await table.webhooks.merchant.list('acc_1');
    const recorded = await table.answers.find('acc_1', claim.scope, NOW);
    expect(JSON.parse(recorded?.body ?? '')).toMatchObject({ webhook_id: endpoint?.webhook_id });
    expect(await table.webhooks.merchant.list('acc_1')).toHaveLength(1);
  });
});

describe('delete webhook', () => {
  /** An account with one endpoint, and the pauses that were made. */
  async function world() {
    const scene = memoryDeliveryWorld();
    const { webhook_id } = await scene.register(['transaction.screened']);
    const pauses: number[] = [];
    const deps = {
      webhooks: scene.table.webhooks.merchant,
      pause: async (ms: number) => {
        pauses.push(ms);
        scene.pass(ms);
      },
    };
    return { scene, deps, pauses, webhook_id, caller: callerOf(scene.accountId) };
  }

  it('removes the endpoint at once, and resolves when no sender that still saw it can start', async () => {
    const { scene, deps, caller, webhook_id } = await world();
    const seen: unknown[] = [];
    const pause = async (ms: number) => void seen.push(ms, await scene.endpoint(webhook_id));
    await deleteWebhook({ ...deps, pause }, caller, webhook_id);
    expect(seen).toEqual([START_WITHIN_MS, undefined]);
  });

  it('leaves nothing to be sent: a delivery that was waiting is cancelled, and no new one is made', async () => {
    const { scene, deps, caller, webhook_id } = await world();
    const order = () => tellScreened(scene.accountId, screened(scene.clock.now()));
    await scene.relayOrders(order());
    await deleteWebhook(deps, caller, webhook_id);
    await scene.relayOrders(order());
    await scene.live(60_000);
    expect(scene.posts).toEqual([]);
    const selection = { statuses: ['pending', 'cancelled'], want: 10, nowMs: scene.clock.now() } as const;
    const { deliveries } = await scene.table.deliveries.newest(scene.accountId, webhook_id, selection);
    expect(deliveries).toMatchObject([{ state: { status: 'cancelled', reason: 'endpoint_deleted' } }]);
  });

  it('knows no endpoint twice, of another account or under another id, and waits for none of them', async () => {
    const { scene, deps, pauses, caller, webhook_id } = await world();
    const notFound = { code: 'not_found' };
    await expect(deleteWebhook(deps, callerOf('acc_other'), webhook_id)).rejects.toMatchObject(notFound);
    await expect(deleteWebhook(deps, caller, webhook_id.replace('wh_', 'dlv_'))).rejects.toMatchObject(notFound);
    expect(await scene.endpoint(webhook_id)).toBeDefined();
    expect(pauses).toEqual([]);
    await deleteWebhook(deps, caller, webhook_id);
    await expect(deleteWebhook(deps, caller, webhook_id)).rejects.toMatchObject(notFound);
    expect(pauses).toEqual([START_WITHIN_MS]);
  });

  it('does not claim to have deleted what it could not', async () => {
    const { scene, deps, caller, webhook_id } = await world();
    const webhooks = interpose(
      deps.webhooks,
      failing(() => 'before'),
    );
    await expect(deleteWebhook({ ...deps, webhooks }, caller, webhook_id)).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await scene.endpoint(webhook_id)).toBeDefined();
  });
});

describe('list webhooks', () => {
  function world() {
    const scene = memoryDeliveryWorld();
    return { scene, deps: { webhooks: scene.table.webhooks.merchant }, caller: callerOf(scene.accountId) };
  }

  it('lists all endpoints of the account, oldest first, and none of their secrets', async () => {
    const { scene, deps, caller } = world();
    const first = await scene.register(['case.created']);
    scene.pass(1_000);
    const second = await scene.register();
    const listed = await listWebhooks(deps, caller);
    expect(listed).toEqual([first, second]);
    expect(JSON.stringify(listed)).not.toContain('whsec_');
  });

  it('shows a disabled endpoint with the reason, and a deleted one no more', async () => {
    const { scene, deps, caller } = world();
    const [kept, dropped] = [await scene.register(), await scene.register()];
    await scene.table.webhooks.sender.disable(scene.accountId, kept.webhook_id, 'gone', scene.clock.now());
    await scene.unregister(dropped.webhook_id);
    expect(await listWebhooks(deps, caller)).toEqual([
      { ...kept, status: 'disabled', disabled_reason: 'gone', disabled_at: new Date(scene.clock.now()).toISOString() },
    ]);
  });

  it('is empty for an account without endpoints, whatever others have', async () => {
    const { scene, deps } = world();
    await scene.register();
    expect(await listWebhooks(deps, callerOf('acc_other'))).toEqual([]);
  });

  it('does not take a table that is out of reach for an empty list', async () => {
    const { deps, caller } = world();
    const webhooks = interpose(
      deps.webhooks,
      failing(() => 'before'),
    );
    await expect(listWebhooks({ webhooks }, caller)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('webhook url', () => {
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
});

describe('endpoint state', () => {
  const NOW = Date.parse('2026-11-14T12:00:00.000Z');
  const random = () => 0.5;

  function passOf(state: EndpointState, wanted: number, nowMs = NOW) {
    const entry = enter(state, wanted, nowMs, random);
    if (entry.kind !== 'pass') throw new Error(entry.kind);
    return entry.pass;
  }
  const taken = (state: EndpointState, slots: readonly number[], untilMs: number): EndpointState => ({
    ...state,
    slots: state.slots.map((until, slot) => (slots.includes(slot) ? untilMs : until)),
  });
  const failing = (failures: number, state = FRESH_STATE, atMs = NOW): EndpointState =>
    Array.from({ length: failures }).reduce<EndpointState>((before) => after(before, 'refused', false, atMs), state);

  describe('places in flight', () => {
    it('are as many as wanted, as far as five go, and each only once', () => {
      fc.assert(
        fc.property(fc.array(fc.nat(9), { maxLength: 12 }), fc.nat(), (wishes, seed) => {
          let state = FRESH_STATE;
          const held: number[] = [];
          for (const wanted of wishes) {
            const entry = enter(state, wanted + 1, NOW, () => (seed % 97) / 97);
            if (entry.kind !== 'pass') {
              expect(held).toHaveLength(MAX_IN_FLIGHT);
              continue;
            }
            expect(entry.pass.slots).toHaveLength(Math.min(wanted + 1, MAX_IN_FLIGHT - held.length));
            expect(held.filter((slot) => entry.pass.slots.includes(slot))).toEqual([]);
            held.push(...entry.pass.slots);
            state = taken(state, entry.pass.slots, entry.pass.leaseUntilMs);
          }
        }),
      );
    });

    it('are free again when their lease is over', () => {
      const full = taken(FRESH_STATE, [0, 1, 2, 3, 4], NOW + SLOT_LEASE_MS);
      expect(enter(full, 1, NOW + SLOT_LEASE_MS - 1, random).kind).toBe('busy');
      expect(passOf(full, 9, NOW + SLOT_LEASE_MS).slots).toHaveLength(5);
    });

    it('held for over a second are held by somebody slow: waiting is in vain', () => {
      const full = taken(FRESH_STATE, [0, 1, 2, 3, 4], NOW + SLOT_LEASE_MS);
      expect(enter(full, 1, NOW + 900, random)).toEqual({ kind: 'busy', isSlow: false });
      expect(enter(full, 1, NOW + 1_100, random)).toEqual({ kind: 'busy', isSlow: true });
    });

    it('of which three are older may be kept for the next deliveries: the other two are worth waiting for', () => {
      const kept = taken(FRESH_STATE, [0, 2, 4], NOW - 5_000 + SLOT_LEASE_MS);
      expect(enter(taken(kept, [1, 3], NOW + SLOT_LEASE_MS), 1, NOW + 500, random)).toEqual({
        kind: 'busy',
        isSlow: false,
      });
      const slow = taken(kept, [1], NOW - 2_000 + SLOT_LEASE_MS);
      expect(enter(taken(slow, [3], NOW + SLOT_LEASE_MS), 1, NOW, random)).toEqual({ kind: 'busy', isSlow: true });
    });
  });

  describe('an open breaker', () => {
    it('holds everything until the probe, which is one attempt in one place', () => {
      const open = failing(5);
      expect(enter(open, 3, NOW + 29_999, random)).toEqual({ kind: 'held', untilMs: NOW + 30_000, spreadMs: 15_000 });
      const probe = passOf(open, 3, NOW + 30_000);
      expect(probe).toMatchObject({ isProbe: true, breaker: { probe_at_ms: NOW + 60_000 } });
      expect(probe.slots).toHaveLength(1);
    });

    it('spreads what it holds the wider the longer the outage lasts, up to six hours', () => {
      const spreadAfter = (outageMs: number): number => {
        const atMs = NOW + outageMs;
        const open = failing(4, failing(1), atMs);
        const entry = enter(open, 1, atMs, random);
        return entry.kind === 'held' ? entry.spreadMs : -1;
      };
      expect(spreadAfter(1_000)).toBe(15_000);
      expect(spreadAfter(3_600_000)).toBe(1_800_000);
      expect(spreadAfter(5 * 86_400_000)).toBe(6 * 3_600_000);
    });

    it('one success clears everything', () => {
      const healed = after(failing(7), 'delivered', true, NOW + 30_000);
      expect(isClean(healed)).toBe(true);
      expect(isClean(failing(1))).toBe(false);
      expect(healed.version).toBe(8);
      expect(passOf(healed, 5).isProbe).toBe(false);
    });
  });
});

describe('disable rule', () => {
  const DAY_MS = 86_400_000;
  const START = Date.parse('2026-11-14T00:00:00Z');
  const failing = (times: number) =>
    Array.from({ length: times }).reduce<typeof HEALTHY>((h) => afterFailure(h, START), HEALTHY);

  it.each([
    [19, 5 * DAY_MS, false],
    [20, 5 * DAY_MS - 1, false],
    [20, 5 * DAY_MS, true],
    [500, 4 * DAY_MS, false],
    [500, 6 * DAY_MS, true],
    [19, 90 * DAY_MS, false],
  ])('%i failures, %i ms after the first: dead is %s', (times, elapsedMs, dead) => {
    expect(isDead(failing(times), START + elapsedMs)).toBe(dead);
  });

  it('an endpoint that never failed is alive for ever', () =>
    expect(isDead(HEALTHY, START + 999 * DAY_MS)).toBe(false));

  it('hourly failures: disabled at 5 days, within the hour', () => {
    let health = HEALTHY;
    let atMs = START;
    while (!isDead(health, atMs)) {
      health = afterFailure(health, atMs);
      atMs += 3_600_000;
    }
    expect((atMs - START) / DAY_MS).toBeGreaterThanOrEqual(5);
    expect((atMs - START) / DAY_MS).toBeLessThanOrEqual(5 + 1 / 24);
  });

  it('never with a success inside the last 5 days', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(DAY_MS)), { maxLength: 200 }), (steps) => {
        let health = HEALTHY;
        let nowMs = START;
        let lastSuccessMs = Number.NEGATIVE_INFINITY;
        for (const [succeeds, waitMs] of steps) {
          nowMs += waitMs;
          health = succeeds ? HEALTHY : afterFailure(health, nowMs);
          if (succeeds) lastSuccessMs = nowMs;
          if (nowMs - lastSuccessMs < 5 * DAY_MS) expect(isDead(health, nowMs)).toBe(false);
        }
      }),
    );
  });
});
