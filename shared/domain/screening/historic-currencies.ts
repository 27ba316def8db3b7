import { isCurrency } from './currency-rates';

/*
 * ISO 4217, list three: codes that were withdrawn. Old orders, refunds and imported histories still carry them. They have
 * no rate: what a mark was worth in 1995 says little about a price today, and a franc had several values.
 */
const HISTORIC = `
ADP AFA ALK ANG AOK AON AOR ARA ARP ARY ATS AYM AZM BAD BEC BEF BEL BGJ BGK BGL BGN BOP BRB BRC BRE BRN BRR BUK BYB BYR
CHC CSD CSJ CSK CUC CYP DDM DEM ECS ECV EEK ESA ESB ESP FIM FRF GEK GHC GHP GNE GNS GQE GRD GWE GWP HRD HRK IEP ILP ILR
ISJ ITL LAJ LSM LTL LTT LUC LUF LUL LVL LVR MGF MLF MRO MTL MTP MVQ MXP MZE MZM NIC NLG PEH PEI PES PLZ PTE RHD ROK ROL
RUR SDD SDP SIT SKK SLL SRG STD SUR TJR TMM TPE TRL UAK UGS UGW USS UYN UYP VEB VEF VNC XEU XFO XFU XRE YDD YUD YUM YUN
ZAL ZMK ZRN ZRZ ZWC ZWD ZWL ZWN ZWR`;

const historic: ReadonlySet<string> = new Set(HISTORIC.trim().split(/\s/));

/** Every withdrawn code, in alphabetical order. */
export const HISTORIC_CODES: readonly string[] = [...historic];

/** Whether an upper-case code was a currency of ISO 4217 and is one no longer. */
export const isHistoricCurrency = (code: string): boolean => historic.has(code);

/** Whether an upper-case code is or was a currency: a screening takes either, and compares only the former in dollars. */
export const wasEverCurrency = (code: string): boolean => isCurrency(code) || historic.has(code);
