/** A call that a function made without the grant for it. */
export interface Denial {
  readonly function: string;
  readonly action: string;
  readonly resource: string;
  readonly time: string;
}

export interface Denials {
  list(): readonly Denial[];
  record(denial: Omit<Denial, 'time'>): void;
}

const REMEMBERED = 1_000;

/** Remembers refused calls and shows each on the terminal, where a missing grant is meant to be noticed. */
export function denialList(print: (line: string) => void): Denials {
  const denials: Denial[] = [];
  return {
    list: () => [...denials],
    record: (denial) => {
      denials.push({ ...denial, time: new Date().toISOString() });
      if (denials.length > REMEMBERED) denials.shift();
      print(`ACCESS DENIED  ${denial.function} is not authorized to perform ${denial.action} on ${denial.resource}`);
    },
  };
}
