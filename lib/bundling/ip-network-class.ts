import { MARK, type NetworkClass } from '../../shared/domain/ip/ip-table';

/*
 * Networks that carry servers and relays, not people: clouds, hosters, content networks, consumer VPNs,
 * proxies, company web gateways, Tor-friendly hosts. Classified by hand, as of June 2026, from general knowledge
 * of the providers and the owners' names in the data; not measured. An access provider that also rents
 * servers in the same network is not listed, because mistaking its households for servers costs more.
 */

/** The start of the organisation's name, lower case; a provider's many networks share it. */
export const HOSTING_ORGANISATIONS: readonly string[] = [
  // clouds
  'amazon.com',
  'amazon data services',
  'amazon technologies',
  'google llc',
  'google, llc',
  'google cloud',
  'google asia',
  'google ireland',
  'microsoft',
  'oracle corporation',
  'oracle svenska',
  'alibaba',
  'hangzhou alibaba',
  'tencent',
  'shenzhen tencent',
  'huawei cloud',
  'huawei international',
  'beijing volcano engine',
  'byteplus',
  'bytedance',
  'beijing baidu',
  'beijing jingdong',
  'kingsoft',
  'digitalocean',
  'akamai',
  'linode',
  'scaleway',
  'ibm cloud',
  'yandex.cloud',
  'akenes',
  'kamatera',
  'coreweave',
  'crusoe',
  'fly.io',
  'salesforce',
  'packet host',
  'latitude.sh',
  'zenlayer',
  'shanghai blue cloud',
  // content and shield networks
  'cloudflare',
  'fastly',
  'limelight',
  'edgecast',
  'cachefly',
  'bunny technology',
  'bunnyway',
  'g-core',
  'incapsula',
  'imperva',
  'sucuri',
  'stormwall',
  'ddos',
  'qrator',
  'stackpath',
  // hosters
  'ovh',
  'hetzner',
  'contabo',
  'leaseweb',
  'ionos',
  'strato ag',
  'the constant company',
  'vultr',
  'm247',
  'datacamp',
  'godaddy',
  'namecheap',
  'new dream network',
  'unified layer',
  'newfold',
  'network solutions, llc',
  'liquid web',
  'quadranet',
  'psychz',
  'sharktech',
  'nocix',
  'wholesale internet',
  'nforce',
  'netcup',
  'myloc',
  'dogado',
  'wiit ag',
  'velia',
  'keyweb',
  'manitu',
  'active 1',
  'infomaniak',
  'metanet ag',
  'i3d',
  'worldstream',
  'clouvider',
  'uk-2',
  'memset',
  'ukfast',
  'equinix',
  'digital realty',
  'internap',
  'phoenixnap',
  'hivelocity',
  'b2 net',
  'enzu',
  'eonix',
  'quickpacket',
  'turnkey internet',
  'limestone net',
  'webnx',
  'gigenet',
  'steadfast',
  'atlantic.net',
  'sakura internet',
  'gmo internet',
  'kagoya',
  'gabia',
  'e2e networks',
  'ctrls',
  'web werks',
  'leapswitch',
  'locaweb',
  'xneelo',
  'selectel',
  'jsc selectel',
  'jsc "timeweb"',
  'timeweb',
  'beget',
  '"domain names registrar reg.ru"',
  'aeza',
  'the infrastructure group',
  'zomro',
  'baxet',
  'llc baxet',
  'green floid',
  'melbikomas',
  'uab "interneto vizija"',
  'first server',
  'it7 networks',
  'krypt tech',
  'multacom',
  'performive',
  'reliablesite',
  'nexeon',
  'input output flood',
  'tzulo',
  'logicweb',
  '24 shells',
  'cologix',
  'globotech',
  'xtom',
  'aruba s.p.a',
  'seeweb',
  'seflow',
  'register s.p.a',
  'combell',
  'one.com',
  'loopia',
  'binero',
  'glesys',
  'neterra',
  'mivocloud',
  'trabia',
  'belcloud',
  'voxility',
  'edis gmbh',
  'global layer',
  'serverel',
  'exabytes',
  'shinjiru',
  'vodien',
  'sg.gs',
  'newmedia express',
  'gsl networks',
  'hydra communications',
  'global connectivity solutions',
  'global network management',
  'nazwa.pl',
  'home.pl',
  'webzilla',
  'ip volume',
  'ipxo',
  'cyberzone',
  'privatesystems',
  'solar communications gmbh',
  'wholesail networks',
  'sprious',
  'egihosting',
  "joe's datacenter",
  'bgp network limited',
  'web2objects',
  // Tor-friendly and privacy hosts
  'frantech',
  'flokinet',
  'privex',
  'private layer',
  '1337 services',
  'stiftung erneuerbare freiheit',
  'emerald onion',
  'calyx',
  'f3 netze',
  'quintex',
  'foundation for applied privacy',
  'obenetwork',
  'obehosting',
  'incognet',
  'altushost',
  'unredacted',
  // consumer VPNs and proxy sellers
  '31173 services',
  'mullvad',
  'packethub',
  'proton ag',
  'strong technology',
  'avast software',
  'windscribe',
  'oxylabs',
  // company web gateways: a whole company appears at the gateway's location
  'zscaler',
  'netskope',
  'menlo security',
  'iboss',
  'forcepoint',
  'palo alto networks',
  'cato networks',
];

/** Networks whose organisation name says too little, or that must not depend on the spelling of the name. */
export const HOSTING_ASNS: readonly number[] = [
  16509, 14618, 8987, 396982, 15169, 8075, 8068, 31898, 37963, 45102, 45090, 132203, 13335, 54113, 20940, 63949, 14061,
  16276, 24940, 213230, 20473, 51167, 40021, 60781, 28753, 12876, 8560, 9009, 60068, 212238, 62240, 39351, 53667,
  200651, 43350, 60729, 396507, 62744, 205100, 210558, 57169, 202425, 41378, 29182, 206092, 211590, 35908, 25820, 44477,
  49981, 24961, 42065, 213035, 209854, 215540, 4785, 9312, 38001, 64050, 198605, 137409, 206264, 400940,
];

/**
 * Akamai's egress of iCloud Private Relay, which has a network of its own (Sattler et al., "Towards a Tectonic Traffic
 * Shift?", IMC 2022, doi.org/10.1145/3517745.3561426). Cloudflare's and Fastly's are ranges in larger networks: Apple's
 * list of them has no licence to bundle it, so they come with `npm run intelligence -- update`.
 */
export const RELAY_ASNS: readonly number[] = [36183];

/** Networks of VPN services: those of X4BNet's list that carry nothing else (MIT, github.com/X4BNet/lists_vpn). */
export const VPN_ASNS: readonly number[] = [209854, 136787, 50525, 207137, 39351];
const VPN_ORGANISATIONS = ['31173 services', 'mullvad', 'packethub', 'proton ag', 'strong technology', 'windscribe'];
const VPN_WORDS = /vpn/;

/** Networks of associations that run exits of Tor, by their own account. */
export const TOR_ASNS: readonly number[] = [60729, 396507, 205100];
const TOR_ORGANISATIONS = ['stiftung erneuerbare freiheit', 'emerald onion', 'f3 netze'];
const TOR_WORDS = /\btor ?(exit|relay|servers)/;

/** Access networks that a word in their name would classify as hosting. */
export const NOT_HOSTING_ASNS: readonly number[] = [
  37611, // Afrihost: a South African household provider
  41012, // The Cloud: public Wi-Fi
  16591, // Google Fiber
  8881, // 1&1 Versatel
  12313, // 1&1 Versatel
];

/*
 * Networks mostly used by phones, one operator per line. Classified by hand, as of June 2026, from general
 * knowledge of the operators and the owners' names in the data; not measured. A carrier that serves homes
 * and phones from one network is listed only if phones are thought to be by far the larger part.
 */
const NETWORKS = `
# North America
21928 T-Mobile US
22394 6167 Verizon Wireless
20057 AT&T Mobility
398378 Boost Mobile
11992 Liberty Mobile Puerto Rico
29946 395172 19256 Union Wireless, Nex-Tech Wireless, Commnet
# Latin America
26599 Vivo, mobile
26615 TIM Brasil
22085 Claro Brasil, mobile
26611 Comcel (Claro Colombia)
27831 Colombia Movil (Tigo)
19422 Movistar Uruguay
27882 52262 Telefonica Celular: Tigo Bolivia, Honduras
271773 WOM Colombia
# Europe
206067 Three UK
35228 O2 UK
13280 Three Ireland
51207 Free Mobile
49902 SRR Reunion
8437 25255 12635 Hutchison Drei
15796 Salt
8374 Polkomtel
39603 9141 31242 201019 P4 (Play)
12912 T-Mobile Polska
16019 Vodafone Czech Republic
12353 Vodafone Portugal
12302 Vodafone Romania
20507 34430 T-Mobile Netherlands
21183 50973 Vodafone Albania
15895 34058 Kyivstar, lifecell
12958 T2 (Tele2 Russia)
31133 12714 25159 31163 31195 31205 31208 31213 31224 50928 MegaFon
16345 Beeline, mobile
# Turkey, Middle East
16135 Turkcell
15897 Vodafone Turkey
20978 TT Mobil
47883 Kibris Mobile
197207 44244 57218 MCI, Irancell, Rightel
35819 Mobily
43766 42961 31452 29357 Zain Saudi Arabia, Kuwait, Bahrain; Ooredoo Kuwait
39015 51375 stc Bahrain
57513 38999 Alfa, touch (Lebanon)
48966 Ooredoo Palestine
16116 Pelephone
201051 212951 Yemen Mobile, Sabafon
# Africa
37069 36935 36992 Orange, Vodafone, e& Egypt
36998 36972 Zain and MTN Sudan
16637 29465 36974 30992 36890 20294 36962 37463 MTN
29975 36994 36908 37223 37057 37453 Vodacom
37168 Cell C
33771 37061 Safaricom
36926 36873 37075 37133 37550 37440 327707 Airtel Africa
29571 36912 37037 37461 Orange Cote d'Ivoire, Cameroun, Madagascar, Guinee
37009 MTC Namibia
# India, Pakistan, Bangladesh, Sri Lanka, Afghanistan
55836 Jio
45609 Airtel, mobile
45271 55410 38266 Vodafone Idea
24499 Telenor Pakistan
45669 Jazz
59257 Zong
24389 24432 45245 Grameenphone, Robi, Banglalink
18001 Dialog Axiata
131284 138322 Etisalat and AWCC Afghanistan
# East and South-East Asia, Pacific
9808 24400 24444 24445 24547 38019 56040 56041 56042 56044 56045 56046 56047 56048 132525 134810 China Mobile
9605 NTT Docomo
138384 10012 Rakuten Mobile
9644 SK Telecom
17421 Chunghwa, mobile
24158 Taiwan Mobile
17924 9474 SmarTone
45143 Singtel Mobile
4818 38466 Digi, U Mobile
45430 131445 9587 AIS, DTAC
23693 Telkomsel
24203 XL Axiata
131429 38247 MobiFone, Vietnamobile
10139 Smart
132199 Globe, mobile
133612 Vodafone Australia
38442 17993 Vodafone Fiji, Samoa`;

export const MOBILE_ASNS: readonly number[] = NETWORKS.split('\n').flatMap((line) =>
  (line.match(/^[\d ]+/)?.[0] ?? '').split(' ').filter(Boolean).map(Number),
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
