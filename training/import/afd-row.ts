import { COUNTRIES } from '../../shared/domain/ip/country-centroids';
import { parseIp } from '../../shared/domain/ip/parse-ip';
import { PAYMENT_METHODS } from '../../shared/domain/screening/screening-facts';
import { LineFault } from '../replay/history-line';
import { AFD_COLUMNS, type AfdMapping, targetOf } from './afd-mapping';

const MAX_VALUE = 512;
const countries: ReadonlySet<string> = new Set(COUNTRIES);
const methods: ReadonlySet<string> = new Set(PAYMENT_METHODS);

/** A value that the API would reject in its own field is still worth learning from: it becomes an attribute. */
const FITS: Readonly<Record<string, (value: string) => boolean>> = {
  ip_address: (value) => parseIp(value) !== undefined,
  payment_method: (value) => methods.has(value),
  'billing_address.country': (value) => countries.has(value),
};

/**
 * A row of Amazon's CSV as a line of a history.
 * @throws LineFault if it is unusable: no time, no entity, no valid amount, an unknown label
 */
export function afdLine(row: Readonly<Record<string, string>>, mapping: AfdMapping): unknown {
  const own: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  const billing: Record<string, string> = {};
  const attributes: Record<string, string> = {};
  for (const [column, raw] of Object.entries(row)) {
    const value = raw.trim().slice(0, MAX_VALUE);
    if (value === '') continue;
    const name = column.trim().toLowerCase();
    if ((AFD_COLUMNS as readonly string[]).includes(name)) {
      own[name] = value;
      continue;
    }
    const wanted = targetOf(column.trim(), mapping);
    const fits = FITS[wanted]?.(value) ?? true;
    const target = fits ? wanted : `custom_attributes.${name}`;
    if (target === 'ignore') continue;
    if (target.startsWith('billing_address.')) billing[target.slice('billing_address.'.length)] = value.slice(0, 256);
    else if (target.startsWith('custom_attributes.')) attributes[target.slice('custom_attributes.'.length)] = value;
    else body[target] = target === 'amount' ? amountOf(value) : value;
  }
  const { event_type, amount, currency, payment_method, ...rest } = body;
  const kind =
    (event_type as string | undefined)?.toLowerCase() ??
    mapping.kind ??
    (amount === undefined ? 'signup' : 'transaction');
  return {
    t: required(own.event_timestamp, 'EVENT_TIMESTAMP'),
    kind,
    body: {
      user_id: rest.user_id ?? required(own.entity_id, 'ENTITY_ID'),
      ...rest,
      ...(kind === 'transaction'
        ? {
            amount: required(amount as number | undefined, 'the amount'),
            currency: String(currency ?? mapping.currency).toUpperCase(),
            ...(payment_method === undefined ? {} : { payment_method }),
            ...(Object.keys(billing).length === 0 ? {} : { billing_address: billing }),
          }
        : {}),
      custom_attributes: kind === 'transaction' ? attributes : { ...prefixed(billing), ...attributes },
    },
    label: labelOf(own.event_label, mapping),
    label_t: own.label_timestamp ?? null,
  };
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new LineFault(`${what} is missing`);
  return value;
}

function amountOf(value: string): number {
  const amount = Number(value.replace(/[,$€£\s]/g, ''));
  if (!Number.isFinite(amount)) throw new LineFault(`the amount "${value}" is not a number`);
  return amount;
}

function labelOf(label: string | undefined, { fraud_labels, legitimate_labels }: AfdMapping): 0 | 1 | null {
  if (label === undefined) return null;
  const lower = label.toLowerCase();
  if (fraud_labels.includes(lower)) return 1;
  if (legitimate_labels.includes(lower)) return 0;
  throw new LineFault(`the label "${label}" is neither fraud nor legitimate: add it to the mapping`);
}

/** Events have no billing address in the API; if a history has one, it is kept as attributes. */
const prefixed = (billing: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(billing).map(([key, value]) => [`billing_${key}`, value]));
