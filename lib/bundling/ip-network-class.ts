import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MARK, type NetworkClass } from '../../shared/domain/ip/ip-table';

/*
 * Networks that carry servers and relays, not people, and networks of phones. Classified by hand, as of June 2026, from
 * general knowledge of the providers and the owners' names in the data; not measured. An access provider that also rents
 * servers in the same network is not listed, because mistaking its households for servers costs more.
 */

/** Networks whose organisation name says too little, or that must not depend on the spelling of the name. */
const HOSTING_ASNS: readonly number[] = [
  16509, 14618, 8987, 396982, 15169, 8075, 8068, 31898, 37963, 45102, 45090, 132203, 13335, 54113, 20940, 63949, 14061,
  16276, 24940, 213230, 20473, 51167, 40021, 60781, 28753, 12876, 8560, 9009, 60068, 212238, 62240, 39351, 53667,
  200651, 43350, 60729, 396507, 62744, 205100, 210558, 57169, 202425, 41378, 29182, 206092, 211590, 35908, 25820, 44477,
  49981, 24961, 42065, 213035, 209854, 215540, 4785, 9312, 38001, 64050, 198605, 137409, 206264, 400940,
];

/**
 * Akamai's egress of iCloud Private Relay, which has its own network (Sattler et al., "Towards a Tectonic Traffic
 * Shift?", IMC 2022, doi.org/10.1145/3517745.3561426). Cloudflare's and Fastly's are ranges in larger networks: Apple's
 * list of them has no licence to bundle it, so they come with `npm run intelligence -- update`.
 */
const RELAY_ASNS: readonly number[] = [36183];

/** Networks of VPN services: those of X4BNet's list that carry nothing else (MIT, github.com/X4BNet/lists_vpn). */
const VPN_ASNS: readonly number[] = [209854, 136787, 50525, 207137, 39351];
const VPN_ORGANISATIONS = ['31173 services', 'mullvad', 'packethub', 'proton ag', 'strong technology', 'windscribe'];
const VPN_WORDS = /vpn/;

/** Networks of associations that run exits of Tor, by their own account. */
const TOR_ASNS: readonly number[] = [60729, 396507, 205100];
const TOR_ORGANISATIONS = ['stiftung erneuerbare freiheit', 'emerald onion', 'f3 netze'];
const TOR_WORDS = /\btor ?(exit|relay|servers)/;

/** Access networks that a word in their name would classify as hosting. */
const NOT_HOSTING_ASNS: readonly number[] = [
  37611, // Afrihost: a South African household provider
  41012, // The Cloud: public Wi-Fi
  16591, // Google Fiber
  8881, // 1&1 Versatel
  12313, // 1&1 Versatel
];

const linesOf = (file: string): string[] =>
  readFileSync(join(__dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const HOSTING_ORGANISATIONS = linesOf('hosting-organisations.txt');
const MOBILE_ASNS = linesOf('mobile-networks.txt').flatMap((line) =>
  (/^[\d ]+/.exec(line)?.[0] ?? '').split(' ').filter(Boolean).map(Number),
);

const STRONG_WORDS =
  /hosting|webhost|\bhosters?\b|\bvps|\bvds\b|vpn|\bprox(y|ies)\b|\bcdn|colocation|\bcolo\b|dedicated\.? ?serv|data ?cent(er|re|rum)|datasenter|veri merkezi|centro de datos|h[eé]bergement|hospedagem|hospedaje|\bsunucu|\btor ?(exit|relay|servers)|bulletproof|\bidc\b/;
/** Words common among them that access providers also use: they count unless the name also has an access word. */
const WEAK_WORDS = /cloud|host\b|\bhost|servers?\b|\bserver|\brack(?!et)|serveur/;
const ACCESS_WORDS =
  /telecom|telekom|telec\b|broadband|\bfib(er|re)|fibra|wi-?fi|wireless|\bcable|\bisp\b|\bdsl|communications?\b|provedor|banda larga|mobile|rural|cooperativ/;
/** Owners of servers that are not offered to the public: their users are staff and students. */
const INSTITUTION_WORDS =
  /universit|college|school|academ|educat|ministry|minister|government|\bstate of\b|county|\bcity of\b|\bbank|insurance|hospital|health|ghost ?(?!net)|echostar|hostel|hospitality/;
/** Carriers by name; "wireless" alone is not one of them, because in rural America it is a roof antenna. */
const MOBILE_WORDS =
  /\bcellular (telephone|communications?|network|company)|\bmobile (telecommunications?|telephon[ey]|communications?|network)\b|\btelefonica moviles|\btelefonia (celular|movil)/;

const hosting = new Set(HOSTING_ASNS);
const notHosting = new Set(NOT_HOSTING_ASNS);
const mobile = new Set(MOBILE_ASNS);
const relays = new Set(RELAY_ASNS);
const vpns = new Set(VPN_ASNS);
const tors = new Set(TOR_ASNS);

/** The class of a network: from the curated lists first, then from the words in its owner's name. */
export function networkClass(asn: number, organisation: string): NetworkClass {
  if (mobile.has(asn)) return 'mobile';
  if (relays.has(asn)) return 'relay';
  if (hosting.has(asn)) return 'hosting';
  const name = organisation.toLowerCase();
  if (!notHosting.has(asn) && isHostingName(name)) return 'hosting';
  return MOBILE_WORDS.test(name) ? 'mobile' : 'other';
}

/** Whether a whole network is one of a VPN service or of exits of Tor, as bits of a record. */
export function networkMarks(asn: number, organisation: string): number {
  const name = organisation.toLowerCase();
  const isOne = (numbers: ReadonlySet<number>, starts: readonly string[], words: RegExp): boolean =>
    numbers.has(asn) || words.test(name) || starts.some((start) => name.startsWith(start));
  return (
    (isOne(tors, TOR_ORGANISATIONS, TOR_WORDS) ? MARK.tor : 0) |
    (isOne(vpns, VPN_ORGANISATIONS, VPN_WORDS) ? MARK.vpn : 0)
  );
}

function isHostingName(name: string): boolean {
  if (HOSTING_ORGANISATIONS.some((start) => name.startsWith(start))) return true;
  if (INSTITUTION_WORDS.test(name)) return false;
  return STRONG_WORDS.test(name) || (WEAK_WORDS.test(name) && !ACCESS_WORDS.test(name));
}

/** Everything that determines a class, as text: a change to it must produce a new table. */
export const NETWORK_CLASS_RULES = JSON.stringify([
  [HOSTING_ASNS, NOT_HOSTING_ASNS, MOBILE_ASNS, HOSTING_ORGANISATIONS],
  [RELAY_ASNS, VPN_ASNS, VPN_ORGANISATIONS, TOR_ASNS, TOR_ORGANISATIONS],
  [STRONG_WORDS, WEAK_WORDS, ACCESS_WORDS, INSTITUTION_WORDS, MOBILE_WORDS, VPN_WORDS, TOR_WORDS].map(String),
]);
