/*
 * Reason codes of chargebacks that say "this was not me". Everything else (not received, duplicate, cancelled, wrong
 * amount …) is a dispute between a merchant and a customer, and says nothing about fraud.
 *
 * Sources:
 *   visa        Dispute Management Guidelines for Visa Merchants: condition 10, "Fraud"; before 2018: 57, 62, 75, 81, 83, 93
 *   mastercard  Chargeback Guide, Merchant Edition: "Fraud-related Chargebacks" (4837, 4849, 4870, 4871; retired: 4840, 4863)
 *   amex        Merchant Regulations, "Disputes and Chargebacks": group "Fraud" (F10 … F31) and fraud programmes (FR2, FR4, FR6)
 *   discover    Dispute Rules Manual: group "Fraud" (UA01 … UA06); Diners Club uses the same
 *   stripe      docs.stripe.com/disputes/categories: the category that Stripe derives from the network's code
 */
const FRAUD_CODES = {
  visa: ['10.1', '10.2', '10.3', '10.4', '10.5', '57', '62', '75', '81', '83', '93'],
  mastercard: ['4837', '4840', '4849', '4863', '4870', '4871'],
  amex: ['F10', 'F14', 'F24', 'F29', 'F30', 'F31', 'FR2', 'FR4', 'FR6', '4527', '4534', '4540', '4763', '4798', '4799'],
  discover: ['UA01', 'UA02', 'UA03', 'UA05', 'UA06', '4752', '7010', '7030'],
  stripe: ['FRAUDULENT', 'UNRECOGNIZED'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Network = keyof typeof FRAUD_CODES;

const ALIASES: Readonly<Record<string, Network>> = {
  mc: 'mastercard',
  maestro: 'mastercard',
  american_express: 'amex',
  americanexpress: 'amex',
  diners: 'discover',
  diners_club: 'discover',
  electron: 'visa',
};

const FRAUD_WORDS: ReadonlySet<string> = new Set(['FRAUD', 'UNAUTHORIZED', 'UNAUTHORISED', ...FRAUD_CODES.stripe]);

const ALL_CODES: ReadonlySet<string> = new Set(Object.values(FRAUD_CODES).flat());

function networkOf(name: string): Network | undefined {
  const key = name.trim().toLowerCase().replaceAll(/[ -]+/g, '_');
  if (Object.hasOwn(ALIASES, key)) return ALIASES[key];
  return Object.hasOwn(FRAUD_CODES, key) ? (key as Network) : undefined;
}

/**
 * Whether a chargeback is about fraud. Without a code it is: a merchant who reports a chargeback to a fraud service
 * and says nothing more means fraud. Without a network that we know, a fraud code of any network counts.
 */
export function isFraudReason(reasonCode: string | undefined, network: string | undefined): boolean {
  if (reasonCode === undefined) return true;
  const code = reasonCode.trim().toUpperCase();
  if (FRAUD_WORDS.has(code)) return true;
  const known = network === undefined ? undefined : networkOf(network);
  return known === undefined ? ALL_CODES.has(code) : (FRAUD_CODES[known] as readonly string[]).includes(code);
}

/** Says that a reference stays with its first owner. */
export const takenWarning = (at: number): string =>
  `references[${at}] belongs to another user's payment and was not added.`;
