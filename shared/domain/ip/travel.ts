import type { NetworkClass } from './ip-table';

/** The centre of a country and the radius, in km, of a circle around it that holds nearly all of its people. */
export interface CountryCircle {
  readonly lat: number;
  readonly lon: number;
  readonly radiusKm: number;
}

/*
 * ISO 3166 alpha-2, latitude, longitude, radius. Rounded to a degree or so, with a generous radius:
 * a circle that is too wide misses an impossible journey, one that is too small invents one. Overseas
 * territories with their own code (RE, PR, GL, …) are not inside the circle of the state they belong to.
 */
const CIRCLES = `
AD 42.5 1.5 20|AE 24 54.3 300|AF 33.8 66 700|AG 17.3 -61.8 40|AI 18.2 -63.1 20|AL 41.1 20.1 180|AM 40.2 45 180
AO -12.3 17.5 900|AQ -80 0 2700|AR -35.4 -65.2 2000|AS -14.3 -170.7 150|AT 47.6 14.1 320|AU -25.7 134.5 2300
AW 12.5 -70 20|AX 60.2 20 60|AZ 40.3 47.7 280|BA 44.2 17.8 200|BB 13.2 -59.6 25|BD 23.8 90.3 380|BE 50.6 4.6 160
BF 12.3 -1.8 450|BG 42.8 25.2 280|BH 26 50.5 40|BI -3.4 29.9 140|BJ 9.6 2.3 380|BL 17.9 -62.8 10|BM 32.3 -64.8 20
BN 4.5 114.7 90|BO -16.7 -64.7 850|BQ 12.2 -68.3 60|BR -10.8 -53.1 2300|BS 24.5 -76.5 450|BT 27.4 90.4 170
BV -54.4 3.4 10|BW -22.2 23.8 600|BY 53.5 28 350|BZ 17.2 -88.7 160|CA 57 -98 3000|CC -12.2 96.8 15
CD -2.9 23.7 1300|CF 6.6 20.5 700|CG -0.8 15.2 650|CH 46.8 8.2 200|CI 7.6 -5.6 400|CK -20 -159.8 700
CL -35.5 -71.3 2400|CM 5.7 12.7 650|CN 35.5 104 2700|CO 3.9 -73.1 950|CR 10 -84.2 250|CU 21.6 -79 620|CV 16 -24 170
CW 12.2 -69 40|CX -10.5 105.6 15|CY 35 33.2 120|CZ 49.7 15.3 270|DE 51.1 10.4 480|DJ 11.7 42.6 120|DK 56 10 260
DM 15.4 -61.4 30|DO 18.9 -70.5 220|DZ 31 2.7 1200|EC -1.4 -78.8 600|EE 58.7 25.5 190|EG 27 30 700|EH 24.2 -12.9 500
ER 15.4 38.8 450|ES 39.5 -3.7 800|ET 8.6 39.6 800|FI 63.5 26 700|FJ -17.8 178 350|FK -51.7 -59.4 150|FM 7 154 1500
FO 62 -6.9 70|FR 46.5 2.5 560|GA -0.6 11.8 380|GB 54 -2.5 620|GD 12.1 -61.7 25|GE 42.2 43.5 280|GF 4 -53.1 240
GG 49.5 -2.5 30|GH 7.9 -1.2 400|GI 36.1 -5.4 10|GL 68 -45 1300|GM 13.4 -15.4 190|GN 10.4 -10.9 430|GP 16.2 -61.6 50
GQ 1.7 10.4 450|GR 39 22.6 450|GS -54.4 -36.6 150|GT 15.7 -90.4 270|GU 13.4 144.8 30|GW 12 -15 170|GY 4.8 -59 450
HK 22.4 114.1 40|HM -53.1 73.5 20|HN 14.8 -86.6 330|HR 45.1 16.4 270|HT 18.9 -72.7 170|HU 47.2 19.4 280
ID -2.2 117.3 2600|IE 53.2 -8.1 260|IL 31.4 35 230|IM 54.2 -4.5 30|IN 22.9 79.6 1700|IO -7.3 72.4 60|IQ 33 43.7 550
IR 32.6 54.3 1100|IS 65 -18.6 270|IT 42.8 12.1 650|JE 49.2 -2.1 15|JM 18.2 -77.3 130|JO 31.2 36.8 250
JP 37 137.5 1300|KE 0.6 37.8 600|KG 41.5 74.5 450|KH 12.7 104.9 300|KI 1.9 -157 3300|KM -11.9 43.7 110
KN 17.3 -62.7 30|KP 40.2 127.2 350|KR 36.4 127.8 330|KW 29.3 47.6 120|KY 19.4 -80.9 130|KZ 48.2 67.3 1500
LA 18.5 103.8 520|LB 33.9 35.9 110|LC 13.9 -61 30|LI 47.1 9.5 15|LK 7.6 80.7 220|LR 6.5 -9.3 280|LS -29.6 28.2 140
LT 55.3 23.9 200|LU 49.8 6.1 45|LV 56.9 24.9 230|LY 27 18 900|MA 31.9 -6.3 700|MC 43.7 7.4 5|MD 47.2 28.5 190
ME 42.8 19.2 100|MF 18.1 -63.1 10|MG -19.4 46.7 800|MH 7.1 171 500|MK 41.6 21.7 110|ML 17.3 -3.5 950|MM 21.2 96.5 1000
MN 46.8 103.1 1200|MO 22.2 113.5 10|MP 15.2 145.7 300|MQ 14.7 -61 40|MR 20.3 -10.3 750|MS 16.7 -62.2 10
MT 35.9 14.4 25|MU -20.3 57.6 350|MV 3.7 73.2 450|MW -13.2 34.3 450|MX 23.9 -102.5 1700|MY 3.8 109.7 1150
MZ -17.3 35.5 1100|NA -22.1 17.2 800|NC -21.3 165.7 250|NE 17.4 9.4 850|NF -29 168 10|NG 9.6 8.1 700
NI 12.8 -85 280|NL 52.1 5.3 190|NO 64.5 14 1000|NP 28.2 83.9 450|NR -0.5 166.9 10|NU -19.1 -169.9 15|NZ -41.8 171.5 900
OM 20.6 56.1 550|PA 8.5 -80.1 330|PE -9.2 -74.4 1100|PF -17.6 -149.5 1300|PG -6.5 145.2 900|PH 11.8 122.9 950
PK 29.9 69.3 1000|PL 52.1 19.4 400|PM 46.9 -56.3 30|PN -24.4 -128.3 250|PR 18.2 -66.5 110|PS 31.9 35 90
PT 39.6 -8.5 310|PW 7.3 134.4 250|PY -23.2 -58.4 520|QA 25.3 51.2 100|RE -21.1 55.5 40|RO 45.9 25 370|RS 44.2 20.8 260
RU 60 65 3600|RW -2 29.9 130|SA 24.1 44.5 1000|SB -8.9 159.6 550|SC -4.7 55.5 600|SD 16 30 950|SE 61 16 800
SG 1.4 103.8 30|SH -15.9 -5.7 2500|SI 46.1 14.8 140|SJ 78.5 16 350|SK 48.7 19.5 220|SL 8.6 -11.8 180|SM 43.9 12.5 10
SN 14.4 -14.5 360|SO 4.8 45.7 900|SR 4.1 -55.9 260|SS 7.3 30.2 600|ST 0.4 6.7 110|SV 13.7 -88.9 140|SX 18 -63.1 10
SY 35 38.5 380|SZ -26.6 31.5 90|TC 21.8 -71.9 70|TD 15.4 18.6 900|TF -49.3 69.2 900|TG 8.5 1 300|TH 15.1 101 850
TJ 38.5 71 370|TK -9.1 -171.8 100|TL -8.8 125.8 150|TM 39.1 59.4 600|TN 34.1 9.6 400|TO -20 -174.8 350|TR 39.1 35.2 800
TT 10.5 -61.2 90|TV -8 178.6 350|TW 23.7 121 230|TZ -6.3 34.8 700|UA 49 31.4 680|UG 1.3 32.4 350|UM 19.3 166.6 3500
US 39.5 -98 2600|UY -32.8 -56 320|UZ 41.8 63.1 750|VA 41.9 12.5 5|VC 13.1 -61.2 50|VE 7.1 -66.2 800|VG 18.4 -64.6 40
VI 18 -64.8 50|VN 16.6 106.3 900|VU -16.2 167.7 450|WF -13.8 -177.2 130|WS -13.8 -172.1 90|YE 15.9 47.6 550
YT -12.8 45.2 25|ZA -29 25.1 900|ZM -13.5 27.8 700|ZW -19 29.9 420`;

const circles: ReadonlyMap<string, CountryCircle> = new Map(
  CIRCLES.trim()
    .split(/[|\n]/)
    .map((entry) => {
      const [country, lat, lon, radiusKm] = entry.split(' ') as [string, string, string, string];
      return [country, { lat: Number(lat), lon: Number(lon), radiusKm: Number(radiusKm) }];
    }),
);

/** The circle of a country; undefined for a code that ISO does not list. */
export function countryCircle(country: string): CountryCircle | undefined {
  return circles.get(country);
}

/** Every country that has a circle. */
export const COUNTRIES: readonly string[] = [...circles.keys()];

/** Where and when an account was seen, as far as an IP address can tell. */
export interface Sighting {
  readonly country?: string | undefined;
  readonly network: NetworkClass;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** `strong`: nobody can have made the journey. `weak`: only roaming could explain it. */
export type TravelEvidence = 'none' | 'weak' | 'strong';

const EARTH_RADIUS_KM = 6371;
const HOUR_MS = 3_600_000;
/** Two clocks and a queue lie between two sightings; this also keeps the speed finite. */
const MIN_ELAPSED_MS = 60_000;
/** Airliners cruise at 900 km/h and only exceed that with a jet stream behind them. */
const AIRLINER_KMH = 1000;
/** Near a border, a provider's block may be registered on the wrong side. */
const FIXED_MIN_KM = 500;
/** Beyond the neighbouring countries where most roaming happens, and too fast for any tolerance. */
const MOBILE_MIN_KM = 3000;
const MOBILE_KMH = 3 * AIRLINER_KMH;

/** Kilometres to cross from one country to another: 0 within a country and between close ones. */
export function countryGapKm(from: string, to: string): number | undefined {
  const [a, b] = [countryCircle(from), countryCircle(to)];
  if (a === undefined || b === undefined) return undefined;
  if (from === to) return 0;
  const rad = Math.PI / 180;
  const haversine =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2;
  const distance = 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, haversine)));
  return Math.max(0, distance - a.radiusKm - b.radiusKm);
}

/** The lowest speed that explains both sightings, in either order; undefined unless both locations are known. */
export function travelSpeedKmh(from: Sighting, to: Sighting): number | undefined {
  if (from.country === undefined || to.country === undefined) return undefined;
  const gap = countryGapKm(from.country, to.country);
  return gap === undefined ? undefined : speedKmh(gap, from, to);
}

const isElsewhere = ({ network }: Sighting): boolean => network === 'hosting' || network === 'relay';

/**
 * How strongly two sightings of one account suggest that they are not the same person:
 *
 *   hosting  with anything   none    the location of a server or relay says nothing about its user
 *   mobile   with mobile     none    a roaming phone appears at home, and a travel SIM anywhere
 *   mobile   with fixed      weak    at most: phone roaming and hotel Wi-Fi side by side look just like this
 *   fixed    with fixed      strong
 */
export function travelEvidence(previous: Sighting, current: Sighting): TravelEvidence {
  if (isElsewhere(previous) || isElsewhere(current)) return 'none';
  const phones = [previous, current].filter((sighting) => sighting.network === 'mobile').length;
  if (phones === 2 || previous.country === undefined || current.country === undefined) return 'none';
  const gap = countryGapKm(previous.country, current.country);
  if (gap === undefined) return 'none';
  const speed = speedKmh(gap, previous, current);
  if (phones === 1) return gap >= MOBILE_MIN_KM && speed > MOBILE_KMH ? 'weak' : 'none';
  return gap >= FIXED_MIN_KM && speed > AIRLINER_KMH ? 'strong' : 'none';
}

function speedKmh(gapKm: number, from: Sighting, to: Sighting): number {
  return (gapKm * HOUR_MS) / Math.max(Math.abs(to.at - from.at), MIN_ELAPSED_MS);
}
