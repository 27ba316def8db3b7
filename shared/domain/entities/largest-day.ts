import { BASE64 } from './counterpart-hashes';
import type { LargestDay } from './entity-history';
import { FAMILIAR_MS } from './kind-spec';

/*
 * The upper end of a user's habit is the largest sum of 24 hours that a user's allowed payments have reached. Small
 * amounts say nothing about it, whereas a spread around the mean grows with every cent. Like everything familiar it is
 * earned, and counts after a week, or once a person has approved it. A user keeps it in a set of three characters each:
 *
 *   day 2      of the sum; `!!` if a person approved it
 *   step 1     a third power of two: 3·log2(dollars + 1), up to two million
 */

const DAY_MS = 86_400_000;
const RING = 4096;
const STEPS = 3;
const CONFIRMED = '!!';

const character = (value: number): string => BASE64.charAt(value & 63);
const stepOf = (member: string): number => BASE64.indexOf(member.charAt(2));

/** The member of a sum in US dollars. */
export function dayMember(sumUsd: number, atMs: number): string {
  const day = Math.floor(atMs / DAY_MS) % RING;
  const step = Math.min(63, Math.max(0, Math.round(STEPS * Math.log2(sumUsd + 1))));
  return character(day >> 6) + character(day) + character(step);
}

/** The member after a person's approval: it counts at once. */
export const confirmedDay = (member: string): string => CONFIRMED + member.slice(2);

function isOld(member: string, atMs: number): boolean {
  if (member.startsWith(CONFIRMED)) return true;
  const day = BASE64.indexOf(member.charAt(0)) * 64 + BASE64.indexOf(member.charAt(1));
  const days = (((Math.floor(atMs / DAY_MS) - day) % RING) + RING) % RING;
  // Half a ring ahead means a clock behind ours.
  return days < RING / 2 && days * DAY_MS > FAMILIAR_MS;
}

/** Reads the set; undefined if it is empty. */
export function largestDay(members: readonly string[], atMs: number): LargestDay | undefined {
  let [usual, largest] = ['', ''];
  for (const member of members) {
    if (largest === '' || stepOf(member) > stepOf(largest)) largest = member;
    if (isOld(member, atMs) && (usual === '' || stepOf(member) > stepOf(usual))) usual = member;
  }
  if (largest === '') return undefined;
  return {
    usual_usd: usual === '' ? undefined : 2 ** (stepOf(usual) / STEPS) - 1,
    member: usual === '' ? largest : usual,
    step: stepOf(largest),
  };
}

/** Members to drop: neither the one that counts nor the largest of all. */
export function surplusDays(members: readonly string[], atMs: number): readonly string[] {
  const known = largestDay(members, atMs);
  return members.filter((member) => member !== known?.member && stepOf(member) !== known?.step);
}

/** The member an allowed payment adds: its sum if that is a new maximum, else the old one, for a new epoch. */
export function earnedDay(
  sumUsd: number,
  atMs: number,
  known: LargestDay | undefined,
): { member: string; isNew: boolean } {
  const member = dayMember(sumUsd, atMs);
  if (known === undefined || stepOf(member) > known.step) return { member, isNew: true };
  return { member: known.member, isNew: false };
}
