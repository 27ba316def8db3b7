import type { NetworkClass } from '../../shared/domain/ip/ip-table';
import { HOSTING_ASNS, HOSTING_ORGANISATIONS, NOT_HOSTING_ASNS } from './ip-hosting-networks';
import { MOBILE_ASNS } from './ip-mobile-networks';

/** Words that only a provider of servers or relays has in its name. */
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

/** The class of a network: from the curated lists first, then from the words in its owner's name. */
export function networkClass(asn: number, organisation: string): NetworkClass {
  if (mobile.has(asn)) return 'mobile';
  if (hosting.has(asn)) return 'hosting';
  const name = organisation.toLowerCase();
  if (!notHosting.has(asn) && isHostingName(name)) return 'hosting';
  return MOBILE_WORDS.test(name) ? 'mobile' : 'other';
}

function isHostingName(name: string): boolean {
  if (HOSTING_ORGANISATIONS.some((start) => name.startsWith(start))) return true;
  if (INSTITUTION_WORDS.test(name)) return false;
  return STRONG_WORDS.test(name) || (WEAK_WORDS.test(name) && !ACCESS_WORDS.test(name));
}

/** Everything that determines a class, as text: a change to it must produce a new table. */
export const NETWORK_CLASS_RULES = JSON.stringify([
  [HOSTING_ASNS, NOT_HOSTING_ASNS, MOBILE_ASNS, HOSTING_ORGANISATIONS],
  [STRONG_WORDS, WEAK_WORDS, ACCESS_WORDS, INSTITUTION_WORDS, MOBILE_WORDS].map((words) => words.source),
]);
