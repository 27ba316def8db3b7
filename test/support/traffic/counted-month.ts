import { type Policy, readPolicyFile } from '../../../shared/cli/policy-file';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { memoryCounters } from '../../../shared/store/memory/memory-counters';
import { memoryStore } from '../../../shared/store/memory/memory-store';
import type { CounterPorts } from '../../../shared/usecases/screening/sources/counters';
import { historyBuilder } from '../../../training/replay/history';
import { replay } from '../../../training/replay/replay';
import { type RuleReport, ruleReport, shadowRules } from '../../../training/replay/rule-report';

/*
 * A month of an account with counters of every kind, screened by the use cases in the time of its lines. Then each number
 * is counted again from the requests, by a script that knows nothing but the contract.
 */

const MINUTE_MS = 60_000;
const DAYS = 31;

const POLICY = `
attributes:
  items: { type: number }
  phone: { type: phone }
event_types:
  refund: { amount: required }
  code_requested: {}
counters:
  cards_per_email: { of: [transaction], count: distinct, value: attr.card, by: [attr.email], window: 24h }
  emails_per_card: { of: [transaction], count: distinct, value: attr.email, by: [attr.card], window: 7d }
  cards_per_address: { of: [transaction], count: distinct, value: attr.card, by: [ip_address], window: 10m }
  amount_per_card: { of: [transaction], count: sum, value: amount, by: [attr.card], window: 24h }
  per_product_and_address: { of: [transaction], count: attempts, by: [attr.product, ip_address], window: 1h }
  refunds_per_user: { of: [refund], count: attempts, by: [user_id], window: 30d }
  accounts_per_device: { of: [signup], count: distinct, value: user_id, by: [device_fingerprint], window: 24h }
  codes_per_phone: { of: [code_requested], count: attempts, by: [attr.phone], window: 10m }
  items_per_user: { of: [transaction, refund], count: sum, value: attr.items, by: [user_id], window: 7d }
  failed_logins: { of: [login], count: attempts, by: [ip_network], window: 1h, where: outcome == "failed" }
  large: { of: [transaction], count: attempts, by: [user_id, device_fingerprint, ip_address], window: 30d, where: attr.items > 3 }
rules:
`;

/** A request of the month. Values are canonical already: what forms are alike is another test's business. */
interface Sent {
  readonly atMs: number;
  readonly kind: string;
  readonly body: {
    readonly user_id: string;
    readonly [member: string]: unknown;
    readonly custom_attributes: Readonly<Record<string, string>>;
  };
}

const START_MS = Date.parse('2026-10-01T00:00:00Z');

function month(requests: number): Sent[] {
  const random = seededRandom(7);
  const upTo = (n: number): number => Math.floor(random() * n);
  const maybe = (share: number, members: object): object => (random() < share ? members : {});
  let atMs = START_MS;
  return Array.from({ length: requests }, (): Sent => {
    // In bursts: most of them seconds apart, the rest hours.
    const spreadMs = random() < 0.9 ? 30_000 : (DAYS * 24 * 60 * MINUTE_MS * 10) / requests;
    atMs += Math.ceil(random() * spreadMs);
    const kind =
      ['transaction', 'transaction', 'transaction', 'login', 'signup', 'refund', 'code_requested'][upTo(7)] ?? '';
    const hasAmount = kind === 'transaction' || kind === 'refund';
    const custom_attributes = {
      ...maybe(0.9, { card: `card-${upTo(30)}` }),
      ...maybe(0.9, { email: `mail${upTo(25)}@shop.example` }),
      ...maybe(0.7, { product: `product-${upTo(5)}` }),
      ...maybe(0.8, { items: random() < 0.95 ? String(1 + upTo(9)) : 'many' }),
      ...maybe(0.8, { phone: `+4930901${100 + upTo(4)}` }),
    };
    return {
      atMs,
      kind,
      body: {
        user_id: `user-${upTo(12)}`,
        ...maybe(0.8, { device_fingerprint: `device-${upTo(6)}` }),
        ...maybe(0.9, { ip_address: `91.0.${upTo(2)}.${1 + upTo(3)}` }),
        ...(hasAmount ? { amount: 1 + upTo(200), currency: 'USD' } : {}),
        ...(kind === 'login' ? { outcome: random() < 0.5 ? 'failed' : 'succeeded' } : {}),
        custom_attributes,
      },
    };
  });
}

interface Counter {
  readonly of: readonly string[];
  readonly count: string;
  readonly value: string | null;
  readonly by: readonly string[];
  readonly window: string;
  readonly where: string | null;
}

const WINDOW_MINUTES: Readonly<Record<string, number>> = {
  '10m': 10,
  '1h': 60,
  '24h': 1_440,
  '7d': 10_080,
  '30d': 43_200,
};

const isNumber = (text: unknown): boolean => typeof text === 'string' && /^\d+$/.test(text);

/** A value of a request by the name that counters use. */
function sentValue({ body }: Sent, name: string): unknown {
  if (name.startsWith('attr.')) return body.custom_attributes[name.slice('attr.'.length)];
  if (name === 'ip_network')
    return typeof body.ip_address === 'string' ? body.ip_address.replace(/\.\d+$/, '') : undefined;
  return body[name];
}

const WHERE: Readonly<Record<string, (sent: Sent) => boolean>> = {
  'outcome == "failed"': ({ body }) => body.outcome === 'failed',
  'attr.items > 3': ({ body }) => isNumber(body.custom_attributes.items) && Number(body.custom_attributes.items) > 3,
};

/** The value of a counter at each request of a month, counted from the requests up to it; undefined where it says nothing. */
function recount(sent: readonly Sent[], { of, count, value, by, window, where }: Counter): Array<number | undefined> {
  const sliceMs = ((WINDOW_MINUTES[window] ?? 0) * MINUTE_MS) / 60;
  const sliceOf = ({ atMs }: Sent): number => Math.floor(atMs / sliceMs);
  const byOwner = new Map<string, Sent[]>();
  return sent.map((now) => {
    const values = by.map((name) => sentValue(now, name));
    if (values.includes(undefined)) return undefined;
    const owner = JSON.stringify(values);
    const all = byOwner.get(owner) ?? [];
    byOwner.set(owner, all);
    if (of.includes(now.kind) && (where === null || WHERE[where]?.(now))) all.push(now);
    // A window ends with the slice of time that its oldest attempt is in, a sixtieth of the window at most.
    const counted = all.filter((each) => sliceOf(each) >= sliceOf(now) - 60);
    if (count === 'attempts') return counted.length;
    const found = counted.map((each) => sentValue(each, value ?? '')).filter((each) => each !== undefined);
    if (count === 'distinct') return new Set(found).size;
    return found
      .filter((each) => typeof each === 'number' || isNumber(each))
      .reduce<number>((sum, each) => sum + Number(each), 0);
  });
}

async function policyOf(): Promise<Policy> {
  const names = [...POLICY.matchAll(/^ {2}(\w+): \{ of:/gm)].map(([, name = '']) => name);
  const rules = names.map(
    (name) => `  over-${name.replaceAll('_', '-')}: { expression: counters.${name} > 1, action: review }`,
  );
  const read = await readPolicyFile(POLICY + rules.join('\n'));
  if ('faults' in read) throw new Error(read.faults.join('\n'));
  return read.policy;
}

/** A month that was screened and counted again. */
export interface RecountedMonth {
  /** Numbers of decisions that differ from what was sent. */
  readonly wrong: readonly string[];
  readonly numbers: number;
  /** How often each counter was above 1: what its rule must have matched. */
  readonly over: ReadonlyMap<string, number>;
  readonly matched: Readonly<Record<string, number>>;
}

/** Screens a month of an account with counters of every kind, and counts each number of each decision again. */
export async function recountedMonth(
  requests: number,
  counters: CounterPorts['counters'] = memoryCounters(),
): Promise<RecountedMonth> {
  const policy = await policyOf();
  const declared = [...(policy.sections.counters ?? [])] as unknown as Array<readonly [string, Counter]>;
  const sent = month(requests);
  const history = historyBuilder(policy.book.declarations);
  sent.forEach(({ atMs, kind, body }, i) => {
    history.add(i, { t: new Date(atMs).toISOString(), kind, body });
  });
  const report = ruleReport(policy);
  const told: Array<Readonly<Record<string, number>>> = [];
  await replay(
    history.finish().lines(),
    { store: memoryStore(), ips: { lookup: () => undefined }, rules: shadowRules(policy), counters },
    (line, _, record) => {
      told[line.i] = record.counters ?? {};
      report.add(record, line.label);
    },
  );
  const wrong: string[] = [];
  let numbers = 0;
  const over = new Map(declared.map(([name]) => [name, 0]));
  for (const [name, counter] of declared) {
    for (const [at, value] of recount(sent, counter).entries()) {
      if (told[at]?.[name] !== value) wrong.push(`${at} ${name}: ${told[at]?.[name]}, and there were ${value}`);
      if (value !== undefined) numbers++;
      if ((value ?? 0) > 1) over.set(name, (over.get(name) ?? 0) + 1);
    }
  }
  const { rules }: RuleReport = report.finish();
  return { wrong, numbers, over, matched: Object.fromEntries(rules.map((rule) => [rule.name, rule.matched])) };
}
