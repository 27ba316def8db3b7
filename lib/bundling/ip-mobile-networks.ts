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
