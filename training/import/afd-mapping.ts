import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** Where a variable of Amazon Fraud Detector goes: a member of the API's body, or an attribute of that name. */
export type Target =
  | 'user_id'
  | 'amount'
  | 'currency'
  | 'ip_address'
  | 'device_fingerprint'
  | 'payment_method'
  | 'event_type'
  | `billing_address.${'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country'}`
  | `custom_attributes.${string}`
  | 'ignore';

/** How to read a CSV file; everything has a default. */
export interface AfdMapping {
  /** What a row is when no column says so. @default transaction where there is an amount, else signup */
  readonly kind?: string | undefined;
  /** @default USD */
  readonly currency: string;
  /** Labels, in lower case, that mean fraud and that mean legitimate; any other is a fault; an empty one means no label. */
  readonly fraud_labels: readonly string[];
  readonly legitimate_labels: readonly string[];
  /** Columns by name; these take precedence over the defaults. */
  readonly columns: Readonly<Record<string, string>>;
}

const DEFAULTS: AfdMapping = {
  currency: 'USD',
  fraud_labels: ['1', 'fraud', 'fraudulent', 'true', 'yes', 'block'],
  legitimate_labels: ['0', 'legit', 'legitimate', 'false', 'no', 'ok', 'allow'],
  columns: {},
};

/** The usual names of Amazon's samples and variable types, in lower case. */
const USUAL: Readonly<Record<string, Target>> = {
  event_id: 'ignore',
  entity_type: 'ignore',
  ip: 'ip_address',
  ip_address: 'ip_address',
  fingerprint: 'device_fingerprint',
  device_id: 'device_fingerprint',
  device_fingerprint: 'device_fingerprint',
  amount: 'amount',
  price: 'amount',
  order_price: 'amount',
  order_amount: 'amount',
  order_amt: 'amount',
  transaction_amount: 'amount',
  transaction_amt: 'amount',
  purchase_value: 'amount',
  currency: 'currency',
  currency_code: 'currency',
  payment_currency: 'currency',
  payment_method: 'payment_method',
  payment_type: 'payment_method',
  event_type: 'event_type',
  billing_street: 'billing_address.line1',
  billing_address: 'billing_address.line1',
  billing_address_l1: 'billing_address.line1',
  billing_address_l2: 'billing_address.line2',
  billing_city: 'billing_address.city',
  billing_state: 'billing_address.state',
  billing_zip: 'billing_address.postal_code',
  billing_postal: 'billing_address.postal_code',
  billing_country: 'billing_address.country',
  card_bin: 'custom_attributes.card_bin',
  credit_card_bin: 'custom_attributes.card_bin',
  card_number_hash: 'custom_attributes.card_fingerprint',
  card_fingerprint: 'custom_attributes.card_fingerprint',
  email: 'custom_attributes.email',
  email_address: 'custom_attributes.email',
  customer_email: 'custom_attributes.email',
  phone: 'custom_attributes.phone',
  phone_number: 'custom_attributes.phone',
  billing_phone: 'custom_attributes.phone',
  merchant: 'custom_attributes.merchant_id',
  merchant_id: 'custom_attributes.merchant_id',
  merchant_name: 'custom_attributes.merchant_id',
  category: 'custom_attributes.category',
  product_category: 'custom_attributes.category',
  merchant_category: 'custom_attributes.category',
};

/** The columns that Amazon's format itself defines. */
export const AFD_COLUMNS = ['event_timestamp', 'event_label', 'label_timestamp', 'entity_id'] as const;

/** Where a column goes: by the mapping, else by its usual name, else to an attribute of the same name. */
export function targetOf(column: string, { columns }: AfdMapping): Target {
  const name = column.toLowerCase();
  const given = columns[column] ?? columns[name];
  return (given as Target | undefined) ?? USUAL[name] ?? `custom_attributes.${name}`;
}

const TARGET =
  /^(user_id|amount|currency|ip_address|device_fingerprint|payment_method|event_type|ignore|billing_address\.(line1|line2|city|state|postal_code|country)|custom_attributes\..{1,64})$/;

const labels = z.optional(z.array(z.string()));
const mappingFile = z.strictObject({
  kind: z.optional(z.string()),
  currency: z.optional(z.string()),
  fraud_labels: labels,
  legitimate_labels: labels,
  columns: z.optional(z.record(z.string(), z.string().check(z.regex(TARGET, 'is not a field of the body')))),
});

/**
 * Reads a mapping file; without one, the defaults.
 * @throws Error that names the invalid field
 */
export function readMapping(file: string | undefined): AfdMapping {
  if (file === undefined) return DEFAULTS;
  const result = mappingFile.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`${file}: ${issue?.path.join('.') || 'the mapping'} ${issue?.message}`);
  }
  const { kind, currency, fraud_labels, legitimate_labels, columns } = result.data;
  return {
    kind,
    currency: currency ?? DEFAULTS.currency,
    fraud_labels: fraud_labels?.map((label) => label.toLowerCase()) ?? DEFAULTS.fraud_labels,
    legitimate_labels: legitimate_labels?.map((label) => label.toLowerCase()) ?? DEFAULTS.legitimate_labels,
    columns: columns ?? {},
  };
}
