import countryCircles from './country-circles.json';
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
const circles = countryCircles as unknown as Readonly<Record<string, readonly [number, number, number]>>;

/** Whether ISO lists an upper-case code. */
export const isCountry = (code: string): boolean => Object.hasOwn(circles, code);

/** The circle of a country; undefined for a code that ISO does not list. */
export function countryCircle(country: string): CountryCircle | undefined {
  const [lat, lon, radiusKm] = (isCountry(country) && circles[country]) || [];
  return lat === undefined || lon === undefined || radiusKm === undefined ? undefined : { lat, lon, radiusKm };
}

/** Every country that has a circle. */
export const COUNTRIES: readonly string[] = Object.keys(circles);

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
