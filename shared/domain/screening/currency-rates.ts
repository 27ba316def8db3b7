/*
 * ISO 4217, active in 2026: code, digits of the minor unit, rough value of one unit in US dollars.
 * The rates only give the order of magnitude (is this a coffee or a car?), never money: an error of
 * 20% moves the logarithm of an amount by 0.2, where one user's amounts spread by about 1.
 * Bond-market units, the testing code and "no currency" are left out: nobody pays in them.
 */
const CURRENCIES = `
AED 2 0.2723|AFN 2 0.0145|ALL 2 0.0119|AMD 2 0.0026|AOA 2 0.0011|ARS 2 0.0007|AUD 2 0.66|AWG 2 0.5587|AZN 2 0.5882
BAM 2 0.595|BBD 2 0.5|BDT 2 0.0082|BHD 3 2.6525|BIF 0 0.00034|BMD 2 1|BND 2 0.775|BOB 2 0.1447|BOV 2 0.37|BRL 2 0.185
BSD 2 1|BTN 2 0.0113|BWP 2 0.0745|BYN 2 0.305|BZD 2 0.5|CAD 2 0.72|CDF 2 0.00045|CHE 2 1.25|CHF 2 1.25|CHW 2 1.25
CLF 4 41|CLP 0 0.00105|CNY 2 0.14|COP 2 0.00026|COU 2 0.1|CRC 2 0.002|CUP 2 0.0417|CVE 2 0.0106|CZK 2 0.048
DJF 0 0.0056|DKK 2 0.156|DOP 2 0.016|DZD 2 0.0077|EGP 2 0.021|ERN 2 0.0667|ETB 2 0.0067|EUR 2 1.165|FJD 2 0.44
FKP 2 1.33|GBP 2 1.33|GEL 2 0.37|GHS 2 0.092|GIP 2 1.33|GMD 2 0.0137|GNF 0 0.000115|GTQ 2 0.1305|GYD 2 0.0048
HKD 2 0.1285|HNL 2 0.038|HTG 2 0.0076|HUF 2 0.003|IDR 2 0.00006|ILS 2 0.31|INR 2 0.0113|IQD 3 0.00076|IRR 2 0.00001
ISK 0 0.008|JMD 2 0.0062|JOD 3 1.4104|JPY 0 0.0065|KES 2 0.0077|KGS 2 0.0114|KHR 2 0.00025|KMF 0 0.00237|KPW 2 0.0011
KRW 0 0.00069|KWD 3 3.26|KYD 2 1.2|KZT 2 0.0019|LAK 2 0.000046|LBP 2 0.0000112|LKR 2 0.0033|LRD 2 0.0055|LSL 2 0.058
LYD 3 0.184|MAD 2 0.108|MDL 2 0.059|MGA 2 0.00022|MKD 2 0.0189|MMK 2 0.00048|MNT 2 0.00028|MOP 2 0.1247|MRU 2 0.025
MUR 2 0.0218|MVR 2 0.065|MWK 2 0.00058|MXN 2 0.054|MXV 2 0.46|MYR 2 0.24|MZN 2 0.0157|NAD 2 0.058|NGN 2 0.00069
NIO 2 0.0272|NOK 2 0.099|NPR 2 0.0071|NZD 2 0.58|OMR 3 2.6008|PAB 2 1|PEN 2 0.295|PGK 2 0.236|PHP 2 0.017
PKR 2 0.0036|PLN 2 0.274|PYG 0 0.00014|QAR 2 0.2747|RON 2 0.229|RSD 2 0.00995|RUB 2 0.0125|RWF 0 0.00069|SAR 2 0.2667
SBD 2 0.121|SCR 2 0.07|SDG 2 0.00166|SEK 2 0.106|SGD 2 0.775|SHP 2 1.33|SLE 2 0.043|SOS 2 0.00175|SRD 2 0.026
SSP 2 0.00022|STN 2 0.0475|SVC 2 0.1143|SYP 2 0.00009|SZL 2 0.058|THB 2 0.031|TJS 2 0.108|TMT 2 0.2857|TND 3 0.34
TOP 2 0.42|TRY 2 0.0235|TTD 2 0.1475|TWD 2 0.032|TZS 2 0.0004|UAH 2 0.0238|UGX 0 0.00028|USD 2 1|USN 2 1
UYI 0 0.16|UYU 2 0.0253|UYW 4 0.16|UZS 2 0.000083|VED 2 0.004|VES 2 0.004|VND 0 0.000038|VUV 0 0.0083|WST 2 0.36
XAD 2 4|XAG 0 50|XAU 0 4000|XAF 0 0.00178|XCD 2 0.3704|XCG 2 0.5587|XDR 0 1.36|XOF 0 0.00178|XPD 0 1400|XPF 0 0.00976|XPT 0 1600|XSU 0 1|XUA 0 1.36
YER 2 0.0042|ZAR 2 0.058|ZMW 2 0.043|ZWG 2 0.0375`;

/** An entry of the currency table. */
export interface Currency {
  readonly code: string;
  readonly minor_unit_digits: number;
  readonly usd_per_unit: number;
}

const currencies: ReadonlyMap<string, Currency> = new Map(
  CURRENCIES.trim()
    .split(/[|\n]/)
    .map((entry) => {
      const [code, digits, rate] = entry.split(' ') as [string, string, string];
      return [code, { code, minor_unit_digits: Number(digits), usd_per_unit: Number(rate) }];
    }),
);

/** Every active code, in alphabetical order. */
export const CURRENCY_CODES: readonly string[] = [...currencies.keys()];

/** The entry of an upper-case code; undefined for one that ISO does not list as active. */
export function currencyOf(code: string): Currency | undefined {
  return currencies.get(code);
}

/** Whether an upper-case code is an active ISO 4217 currency. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
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
  if (known !== undefined) return amount * known.usd_per_unit;
  const perEuro = PER_EURO[currency];
  return perEuro === undefined ? undefined : (amount / perEuro) * (currencies.get('EUR')?.usd_per_unit ?? 1);
}

/** The amount in US dollars, and without a rate the most it may be: an unknown unit must not hide a large amount. */
export const atMostUsd = (amount: number, currency: string): number => toUsd(amount, currency) ?? amount * MOST_USD;

/** Every withdrawn code, in alphabetical order. */
export const HISTORIC_CODES: readonly string[] = [...historic];

/** Whether an upper-case code is a withdrawn ISO 4217 currency. */
export const isHistoricCurrency = (code: string): boolean => historic.has(code);

/** Whether an upper-case code is or was a currency: a screening takes either, and compares only the former in dollars. */
export const wasEverCurrency = (code: string): boolean => isCurrency(code) || historic.has(code);
