import { createHash } from 'node:crypto';
import { EVENT_ACTIONS } from '../entities/entity-history';
import { parseIp } from '../ip/parse-ip';
import { isCountry } from '../ip/travel';
import { isCurrency } from '../screening/currency-rates';
import { PAYMENT_METHODS } from '../screening/screening-facts';
import type { AfdMapping } from './afd-mapping';
import { ATTRIBUTES } from './afd-target';
import { entityStandIns, MAX_ATTRIBUTES, type PlannedVariable } from './plan-variables';

const MAX_VALUE = 512;
const MAX_ADDRESS = 256;
const MAX_USER_ID = 128;
const MAX_DEVICE = 256;
/** A screening needs an amount: a card check of zero counts as the smallest one. */
const LEAST_AMOUNT = 0.01;
/** ISO 4217's code for no currency: amounts in it are compared with nothing but each other. */
const NO_CURRENCY = 'XXX';
const ADDRESS = 'billing_address.';
const NO_MONEY = { amount: undefined, currency: undefined };

const methods: ReadonlySet<string> = new Set(PAYMENT_METHODS);
const kinds: ReadonlySet<string> = new Set(['transaction', ...EVENT_ACTIONS]);

/** Why an event cannot be screened, worded for its author. */
export class AfdFault extends Error {
  override readonly name = 'AfdFault';
}

/** An event of Amazon Fraud Detector as the API takes it. */
export interface AfdBody {
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly assumed: readonly AfdAssumption[];
}

export type AfdAssumption =
  | { readonly what: 'entity'; readonly from: string }
  | { readonly what: 'currency'; readonly code: string }
  | { readonly what: 'kind'; readonly kind: string }
  | { readonly what: 'attribute'; readonly variable: string };

/** An event: its variables by name, and who acted, if it says so. */
export interface AfdEventFacts {
  readonly variables: Readonly<Record<string, string>>;
  readonly entityId: string | undefined;
  readonly fallbackId: string;
}

/** A value that the API would reject in its own field is still worth learning from: it becomes an attribute. */
const FITS: Readonly<Record<string, (value: string) => boolean>> = {
  ip_address: (value) => parseIp(value) !== undefined,
  payment_method: (value) => methods.has(value),
  'billing_address.country': (value) => isCountry(value),
  event_type: (value) => kinds.has(value.toLowerCase()),
};

/**
 * An event as the body of a request, by the plan for its variables. Of events only those of an account's own types may
 * take an amount.
 * @throws AfdFault if it is unusable: a payment without an amount, or one that is not a number
 */
export function afdBody(
  { variables, entityId, fallbackId }: AfdEventFacts,
  plan: readonly PlannedVariable[],
  mapping: AfdMapping,
  takesAmount = false,
): AfdBody {
  const assumed: AfdAssumption[] = [];
  const fields: Record<string, string> = {};
  const billing: Record<string, string> = {};
  const attributes: Record<string, string> = {};
  for (const { name, target: wanted } of plan) {
    const value = cleaned(variables[name]);
    if (value === '' || wanted === 'ignore') continue;
    const isFit = FITS[wanted]?.(value) ?? true;
    if (!isFit) assumed.push({ what: 'attribute', variable: name });
    const target = isFit ? wanted : `${ATTRIBUTES}${name.toLowerCase().slice(0, 64)}`;
    if (target.startsWith(ADDRESS)) billing[target.slice(ADDRESS.length)] = value.slice(0, MAX_ADDRESS);
    else if (target.startsWith(ATTRIBUTES)) attributes[target.slice(ATTRIBUTES.length)] = value;
    else fields[target] = value;
  }
  const user_id = actorOf({ variables, entityId, fallbackId }, plan, assumed);
  const amount = fields.amount === undefined ? undefined : amountOf(fields.amount);
  const kind = kindOf(fields.event_type, mapping, amount, assumed);
  const common = {
    user_id,
    ...(fields.ip_address === undefined ? {} : { ip_address: fields.ip_address }),
    ...(fields.device_fingerprint === undefined
      ? {}
      : { device_fingerprint: fields.device_fingerprint.slice(0, MAX_DEVICE) }),
  };
  const money = () => ({
    amount: amount === 0 ? LEAST_AMOUNT : amount,
    currency: currencyOf(fields.currency, mapping, assumed),
  });
  if (kind !== 'transaction') {
    const paid = takesAmount && amount !== undefined ? money() : undefined;
    const kept = {
      ...prefixed(billing),
      ...amountAttribute(paid ? { ...fields, ...NO_MONEY } : fields),
      ...attributes,
    };
    return { kind, body: { ...common, ...paid, custom_attributes: fewEnough(kept) }, assumed };
  }
  if (amount === undefined) throw new AfdFault('the amount is missing');
  return {
    kind,
    body: {
      ...common,
      ...money(),
      ...(fields.payment_method === undefined ? {} : { payment_method: fields.payment_method }),
      ...(Object.keys(billing).length === 0 ? {} : { billing_address: billing }),
      custom_attributes: fewEnough(attributes),
    },
    assumed,
  };
}

/** Values that did not fit their own field may make more attributes than were planned. */
const fewEnough = (attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).slice(0, MAX_ATTRIBUTES));

/** Half a character at the end of a cut value cannot be stored. */
export const cleaned = (value: string | undefined): string => (value ?? '').trim().slice(0, MAX_VALUE).toWellFormed();

/** Amazon's own name for an entity that nobody knows. */
const isUnknown = (id: string | undefined): boolean => id === undefined || id.trim() === '' || id.trim() === 'unknown';

function actorOf(facts: AfdEventFacts, plan: readonly PlannedVariable[], assumed: AfdAssumption[]): string {
  const { entityId, variables, fallbackId } = facts;
  const mapped = plan.find(({ target }) => target === 'user_id');
  const given = mapped ? cleaned(variables[mapped.name]) : '';
  if (given !== '') return shortened(given);
  if (entityId !== undefined && !isUnknown(entityId)) return shortened(cleaned(entityId));
  const standIn = entityStandIns(plan).find(({ name }) => cleaned(variables[name]) !== '');
  assumed.push({ what: 'entity', from: standIn?.name ?? 'the event itself' });
  return shortened(standIn ? cleaned(variables[standIn.name]) : fallbackId);
}

/** Names too long for a user ID must not become the same when they are cut. */
function shortened(id: string): string {
  if (id.length <= MAX_USER_ID) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `${id.slice(0, MAX_USER_ID - 33).toWellFormed()}#${hash}`;
}

function kindOf(
  sent: string | undefined,
  mapping: AfdMapping,
  amount: number | undefined,
  assumed: AfdAssumption[],
): string {
  const stated = sent?.toLowerCase() ?? mapping.kind;
  if (stated !== undefined) return stated;
  const kind = amount === undefined ? 'signup' : 'transaction';
  assumed.push({ what: 'kind', kind });
  return kind;
}

function amountOf(value: string): number {
  const amount = Number(value.replace(/[,$€£\s]/g, ''));
  if (!Number.isFinite(amount)) throw new AfdFault(`the amount "${value.slice(0, 40)}" is not a number`);
  if (amount < 0) throw new AfdFault(`the amount ${amount} is negative`);
  return amount;
}

/** A code without a rate, withdrawn or unknown, costs the comparison of amounts, not the event. */
function currencyOf(sent: string | undefined, { currency }: AfdMapping, assumed: AfdAssumption[]): string {
  const code = (sent ?? currency).toUpperCase();
  if (isCurrency(code)) return code;
  assumed.push({ what: 'currency', code });
  return /^[A-Z]{3}$/.test(code) ? code : NO_CURRENCY;
}

/** Events have no billing address in the API; its parts are kept as attributes. */
const prefixed = (billing: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(billing).map(([key, value]) => [`billing_${key}`, value]));

/** Events have no amount in the API either. */
const amountAttribute = ({ amount, currency, payment_method }: Readonly<Record<string, string | undefined>>) => ({
  ...(amount === undefined ? {} : { amount }),
  ...(currency === undefined ? {} : { currency }),
  ...(payment_method === undefined ? {} : { payment_method }),
});
