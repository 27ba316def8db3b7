import { readFileSync } from 'node:fs';

/** The reader's action at one fenced block of a guide. */
export interface Step {
  /** `run`: types it. `save`: makes a file of it. `see`: waits until it is shown. */
  readonly does: 'run' | 'save' | 'see';
  /** The terminal that was named last. */
  readonly terminal: number;
  readonly text: string;
}

const DOES: Readonly<Record<string, Step['does']>> = { sh: 'run', js: 'save', json: 'save', text: 'see' };

/** The steps of a guide, in their order; a block that nobody can follow is an error. */
export function stepsOf(file: string): Step[] {
  const steps: Step[] = [];
  let terminal = 1;
  for (const [all, language, text = ''] of readFileSync(file, 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$|^.+$/gm)) {
    if (language === undefined) {
      for (const [, number] of all.matchAll(/terminal (\d)/gi)) terminal = Number(number);
      continue;
    }
    const does = DOES[language];
    if (does) steps.push({ does, terminal, text });
  }
  return steps;
}

/** A line that a guide shows, as a pattern; `...` stands for anything. */
export const shown = (line: string): RegExp =>
  new RegExp(
    line
      .trim()
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll('\\.\\.\\.', '\\S+'),
  );

/** Pastes for what ends in `...` the value of that prefix that was shown last. */
export function paste(commands: string, said: string): string {
  return commands.replace(/\b([a-z]+_(?:test_)?)\.\.\./g, (_all, prefix: string) => {
    const value = [...said.matchAll(new RegExp(`\\b${prefix}[\\w+/=]{20,}`, 'g'))].at(-1)?.[0];
    if (!value) throw new Error(`Nothing that begins with ${prefix} was shown:\n${said}`);
    return value;
  });
}
