import { signal } from '@preact/signals';

/** Cases that are picked in the list, to be decided together. */
export const selection = signal<ReadonlySet<string>>(new Set());

/** Picks all of these, or none of them if all are picked already. */
export function toggle(caseIds: readonly string[]): void {
  const isPicked = caseIds.every((id) => selection.value.has(id));
  const rest = [...selection.value].filter((id) => !caseIds.includes(id));
  selection.value = new Set(isPicked ? rest : [...rest, ...caseIds]);
}

export const pick = (caseIds: readonly string[]): void => {
  selection.value = new Set(caseIds);
};
