import usualVariables from './usual-variables.json';

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

const USUAL = usualVariables as Readonly<Record<string, AfdTarget>>;

/** The targets that a mapping may name for a column. */
export const AFD_TARGET =
  /^(user_id|amount|currency|ip_address|device_fingerprint|payment_method|event_type|ignore|billing_address\.(line1|line2|city|state|postal_code|country)|custom_attributes\..{1,64})$/;

/** The target of a variable with a usual name; undefined for any other. */
export const usualTarget = (name: string): AfdTarget | undefined =>
  Object.hasOwn(USUAL, name) ? USUAL[name] : undefined;

/** The usual names that lead to a target, for lists of the names we understand. */
export const usualNames = (): readonly string[] => Object.keys(USUAL).filter((name) => USUAL[name] !== 'ignore');
