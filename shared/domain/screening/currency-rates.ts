import table from './currencies.json';

/** An entry of the currency table. */
export interface Currency {
  readonly code: string;
  readonly minor_unit_digits: number;
  readonly usd_per_unit: number;
}

/*
 * ISO 4217, active in 2026: code, digits of the minor unit, rough value of one unit in US dollars.
 * The rates only give the order of magnitude (is this a coffee or a car?), never money: an error of
 * 20% moves the logarithm of an amount by 0.2, where one user's amounts spread by about 1.
 * Bond-market units, the testing code and "no currency" are left out: nobody pays in them.
 */
const currencies: ReadonlyMap<string, readonly [digits: number, usd: number]> = new Map(
  Object.entries(table as unknown as Readonly<Record<string, readonly [number, number]>>),
);

/** Every active code, in alphabetical order. */
export const CURRENCY_CODES: readonly string[] = [...currencies.keys()];

/** Whether an upper-case code is an active ISO 4217 currency. */
export const isCurrency = (code: string): boolean => currencies.has(code);

/** The entry of an upper-case code; undefined for one that ISO does not list as active. */
export function currencyOf(code: string): Currency | undefined {
  const known = currencies.get(code);
  return known && { code, minor_unit_digits: known[0], usd_per_unit: known[1] };
}

/*
 * ISO 4217, list three: codes that were withdrawn. Old orders, refunds and imported histories still carry them. What the
 * euro replaced is worth what it was replaced by, for ever (Council Regulation (EC) No 2866/98 and its amendments, units
 * per euro). The rest has no rate: a franc had several values.
 */
const PER_EURO: Readonly<Record<string, number>> = {
  ...{
    ATS: 13.7603,
    BEF: 40.3399,
    BGN: 1.95583,
    CYP: 0.585274,
    DEM: 1.95583,
    EEK: 15.6466,
    ESP: 166.386,
    FIM: 5.94573,
  },
  ...{ FRF: 6.55957, GRD: 340.75, HRK: 7.5345, IEP: 0.787564, ITL: 1936.27, LTL: 3.4528, LUF: 40.3399, LVL: 0.702804 },
  ...{ MTL: 0.4293, NLG: 2.20371, PTE: 200.482, SIT: 239.64, SKK: 30.126, XEU: 1 },
};
/** A unit without a rate is valued at this many dollars, about the most that any is worth: better one review too many. */
const MOST_USD = 3;

const HISTORIC = `
ADP AFA ALK ANG AOK AON AOR ARA ARP ARY ATS AYM AZM BAD BEC BEF BEL BGJ BGK BGL BGN BOP BRB BRC BRE BRN BRR BUK BYB BYR
CHC CSD CSJ CSK CUC CYP DDM DEM ECS ECV EEK ESA ESB ESP FIM FRF GEK GHC GHP GNE GNS GQE GRD GWE GWP HRD HRK IEP ILP ILR
ISJ ITL LAJ LSM LTL LTT LUC LUF LUL LVL LVR MGF MLF MRO MTL MTP MVQ MXP MZE MZM NIC NLG PEH PEI PES PLZ PTE RHD ROK ROL
RUR SDD SDP SIT SKK SLL SRG STD SUR TJR TMM TPE TRL UAK UGS UGW USS UYN UYP VEB VEF VNC XEU XFO XFU XRE YDD YUD YUM YUN
ZAL ZMK ZRN ZRZ ZWC ZWD ZWL ZWN ZWR`;

const historic: ReadonlySet<string> = new Set(HISTORIC.trim().split(/\s/));

/** The amount in US dollars at the rough rate; undefined without one. */
export function toUsd(amount: number, currency: string): number | undefined {
  const known = currencies.get(currency);
  if (known !== undefined) return amount * known[1];
  const perEuro = PER_EURO[currency];
  return perEuro === undefined ? undefined : (amount / perEuro) * (currencies.get('EUR')?.[1] ?? 1);
}

/** The amount in US dollars, and without a rate the most it may be: an unknown unit must not hide a large amount. */
export const atMostUsd = (amount: number, currency: string): number => toUsd(amount, currency) ?? amount * MOST_USD;

/** Every withdrawn code, in alphabetical order. */
export const HISTORIC_CODES: readonly string[] = [...historic];

/** Whether an upper-case code is a withdrawn ISO 4217 currency. */
export const isHistoricCurrency = (code: string): boolean => historic.has(code);

/** Whether an upper-case code is or was a currency: a screening takes either, and compares only the former in dollars. */
export const wasEverCurrency = (code: string): boolean => isCurrency(code) || historic.has(code);
