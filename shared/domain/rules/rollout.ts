import { canonicalText } from '../entities/canonical-value';

/**
 * Whether a rule that is rolled out to some users applies to this one. The same user always has the same place among 100,
 * so a higher percentage adds users and drops none; each rule shuffles anew, so that no user gets all trials.
 */
export function isRolledOut(rule: string, userId: string, percent: number): boolean {
  return percent >= 100 || hash(`${rule}\n${canonicalText(userId)}`) % 100 < percent;
}

/** FNV-1a with a final mix, because its lowest bits alone are not spread evenly enough. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
