import { isDeepStrictEqual } from 'node:util';
import { type Bodies, type Body, membersOf, SECTION_NAMES, type SectionName } from '../../shared/cli/policy-file';

export interface Listed extends Body {
  readonly version?: number;
}

export interface PolicyStep {
  readonly section: SectionName;
  readonly name: string;
  /** Undefined if it is to be deleted. */
  readonly body: Body | undefined;
  /** The version that was compared: of rules, which several people may edit. */
  readonly ifVersion: number | undefined;
}

/** The steps that make the account exactly what a file declares. */
export interface PolicyPlan {
  /** In the order in which they can be made. */
  readonly steps: readonly PolicyStep[];
  readonly lines: readonly string[];
}

const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

export const nameOf = ({ key, name }: Listed): string => String(key ?? name);

/** Whether a file can govern it. Built-in things and settings were not declared and are never deleted. */
export const isDeclared = ({ built_in, updated_by }: Listed): boolean => built_in !== true && updated_by !== 'settings';

const created = (section: SectionName, body: Body): string =>
  section === 'rules'
    ? `${body.action} (${body.state}) if ${body.expression}`
    : show(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)));

const NOT_COUNTED = new Set(['note']);

/** Compares a section with what the account has; the same input gives the same text. */
function planSection(section: SectionName, file: Bodies, existing: readonly Listed[]) {
  const put: PolicyStep[] = [];
  const remove: PolicyStep[] = [];
  const lines: string[] = [];
  const before = new Map(existing.map((each) => [nameOf(each), each]));
  const label = (name: string): string => (section === 'rules' ? name : `${section}.${name}`);
  for (const name of [...new Set([...file.keys(), ...before.keys()])].sort()) {
    const body = file.get(name);
    const was = before.get(name);
    const step = { section, name, body, ifVersion: section === 'rules' ? was?.version : undefined };
    if (body === undefined) {
      if (was && !isDeclared(was)) continue;
      remove.push(step);
      lines.push(`- ${label(name)}`);
      continue;
    }
    const known = was && membersOf(section, was);
    const changed = Object.keys(body)
      .filter((member) => known && !isDeepStrictEqual(body[member], known[member]))
      .sort();
    if (known === undefined || (changed.length === 0 && !isDeclared(was as Listed))) {
      // A tracked attribute looks the same once it is declared.
      put.push(step);
      lines.push(`+ ${label(name)}: ${created(section, body)}`);
    } else if (changed.length > 0) {
      put.push(step);
      const isReset = section === 'counters' && changed.some((member) => !NOT_COUNTED.has(member));
      lines.push(
        `~ ${label(name)}`,
        ...changed.map((member) => `    ${member}: ${show(known[member])} -> ${show(body[member])}`),
        ...(isReset ? ['    starts to count from zero'] : []),
      );
    }
  }
  return { put, remove, lines };
}

/** Compares a file with the account: only sections that the file has. */
export function planPolicy(
  file: Readonly<Partial<Record<SectionName, Bodies>>>,
  existing: Readonly<Partial<Record<SectionName, readonly Listed[]>>>,
): PolicyPlan {
  const plans = SECTION_NAMES.flatMap((section) => {
    const bodies = file[section];
    return bodies === undefined ? [] : [planSection(section, bodies, existing[section] ?? [])];
  });
  // Nothing can be deleted while something else refers to it, so the referring sections go first.
  const steps = [...plans.flatMap(({ put }) => put), ...plans.toReversed().flatMap(({ remove }) => remove)];
  return { steps, lines: plans.flatMap(({ lines }) => lines) };
}
