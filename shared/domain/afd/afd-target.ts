/** Where a variable of Amazon Fraud Detector goes: a member of the API's body, or an attribute of that name. */
export type AfdTarget =
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

export const ATTRIBUTES = 'custom_attributes.';

const USUAL: Readonly<Record<string, AfdTarget>> = {
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

/** The targets that a mapping may name for a column. */
export const AFD_TARGET =
  /^(user_id|amount|currency|ip_address|device_fingerprint|payment_method|event_type|ignore|billing_address\.(line1|line2|city|state|postal_code|country)|custom_attributes\..{1,64})$/;

/** The target of a variable with a usual name; undefined for any other. */
export const usualTarget = (name: string): AfdTarget | undefined =>
  Object.hasOwn(USUAL, name) ? USUAL[name] : undefined;

/** The usual names that lead to a target, for lists of the names we understand. */
export const usualNames = (): readonly string[] => Object.keys(USUAL).filter((name) => USUAL[name] !== 'ignore');
