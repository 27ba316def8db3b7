import { DomainError } from '../errors';
import { treesIn } from './compile-tree';
import type { RuleBook } from './rule-book';
import { ATTRIBUTE, COUNTER } from './rule-facts';
import type { Tree } from './tree';

type User = `rule ${string}` | `counter ${string}`;

const some = (checked: object | null, holds: (each: Tree) => boolean): boolean =>
  checked !== null && treesIn(checked as Tree).some(holds);

const naming = (name: string) => (each: Tree) => 'name' in each && each.name === name;

/** Whether a comparison with `event_type` mentions a type: types occur by name nowhere else. */
const comparing = (type: string) => (each: Tree) => {
  if ('left' in each) {
    const sides = [each.left, each.right];
    return sides.some(naming('event_type')) && sides.some((side) => side.op === 'value' && side.value === type);
  }
  return each.op === 'among' && naming('event_type')(each.of) && each.values.includes(type);
};

type Book = Pick<RuleBook, 'rules' | 'declarations'>;

/** The rules and counters that read an attribute. */
export function usersOfAttribute({ rules, declarations: { counters } }: Book, key: string): User[] {
  const name = ATTRIBUTE + key;
  return [
    ...rules.filter(({ tree }) => some(tree, naming(name))).map((rule): User => `rule ${rule.name}`),
    ...counters
      .filter(({ by, value, tree }) => by.includes(name) || value === name || some(tree, naming(name)))
      .map((counter): User => `counter ${counter.name}`),
  ];
}

/** The rules and counters that name an event type. */
export function usersOfEventType({ rules, declarations: { counters } }: Book, type: string): User[] {
  return [
    ...rules
      .filter(({ applies_to, tree }) => applies_to.includes(type) || some(tree, comparing(type)))
      .map(({ name }): User => `rule ${name}`),
    ...counters
      .filter(({ of, tree }) => of.includes(type) || some(tree, comparing(type)))
      .map(({ name }): User => `counter ${name}`),
  ];
}

/** The rules that read a counter. */
export const usersOfCounter = ({ rules }: Book, counter: string): User[] =>
  rules.filter(({ tree }) => some(tree, naming(COUNTER + counter))).map(({ name }): User => `rule ${name}`);

/** @throws DomainError that names its users, if there are any */
export function refuseIfUsed(what: string, users: readonly User[]): void {
  if (users.length === 0) return;
  const [first, ...more] = users;
  const all = more.length === 0 ? `${first} needs` : `${users.slice(0, -1).join(', ')} and ${users.at(-1)} need`;
  throw new DomainError(
    'in_use',
    `${all} ${what} as it is. Change or delete ${more.length === 0 ? 'it' : 'them'} first.`,
    users.map((user) => ({ field: user.replace(' ', 's.'), message: `needs ${what}` })),
  );
}
