import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CommandTable,
  failureText,
  numberOf,
  parseArguments,
  readCommand,
  readCommandLine,
  UsageError,
} from '../../../shared/cli/command-line';
import { progressBar } from '../../../shared/cli/progress-bar';
import { terminalWidth, wrapColumns, wrapText } from '../../../shared/cli/wrap-text';

describe('command line', () => {
  const LINE = {
    usage: 'npm run thing -- FILE [options]',
    about: 'Does a thing.',
    options: {
      rate: { value: 'number', does: 'how fast', default: '5' },
      out: { value: 'file', does: 'where to' },
      context: { value: 'name=value', does: 'an option of another', short: 'c', isList: true },
      quiet: { does: 'say less' },
    },
    takesWords: true,
    notes: 'Mind the gap.',
    next: 'npm run other-thing.',
  } as const;

  /** Everything printed while something runs. */
  function printed(run: () => unknown): string {
    const spy = jest.spyOn(console, 'log').mockImplementation();
    try {
      run();
      return spy.mock.calls.flat().join('\n');
    } finally {
      spy.mockRestore();
    }
  }

  describe('a command line', () => {
    it('gives texts with their defaults, lists, flags and words', () => {
      const given = readCommandLine(LINE, ['a.csv', '--out', 'x', '-c', 'a=1', '--context', 'b=2', '--quiet']);
      expect(given?.texts).toEqual({ rate: '5', out: 'x' });
      expect(given?.lists).toEqual({ context: ['a=1', 'b=2'] });
      expect([...(given?.flags ?? [])]).toEqual(['quiet']);
      expect(given?.words).toEqual(['a.csv']);
    });

    it('prints help from its options, and nothing runs', () => {
      let given: unknown = 'not read';
      const text = printed(() => {
        given = readCommandLine(LINE, ['--help']);
      });
      expect(given).toBeUndefined();
      for (const part of [
        LINE.usage,
        LINE.about,
        LINE.notes,
        'Next: npm run other-thing.',
        '--rate <number>',
        '(default 5)',
        '-c, --context',
        '--help',
      ])
        expect(text).toContain(part);
    });

    it.each([
      [['--colour'], /Unknown option '--colour'[\s\S]*Try --help\./],
      [['--out'], /--out/],
    ])('refuses %j in one sentence', (args, message) => {
      expect(() => readCommandLine(LINE, args)).toThrow(UsageError);
      expect(() => readCommandLine(LINE, args)).toThrow(message);
    });

    it('refuses words where it takes none', () => {
      expect(() => parseArguments(LINE.options, false, ['word'])).toThrow(UsageError);
    });

    it('reads numbers within their bounds', () => {
      const given = parseArguments(LINE.options, false, ['--rate', '7']);
      expect(numberOf(given, 'rate', { min: 1, max: 10 })).toBe(7);
      expect(() => numberOf(given, 'rate', { max: 5 })).toThrow('--rate must be a number from 0 to 5, not 7.');
      expect(() => numberOf(given, 'out')).toThrow('--out must be a number of at least 0');
    });
  });

  describe('a table of commands', () => {
    const TABLE: CommandTable<string> = {
      program: 'npm run things',
      about: 'Acts on things.',
      options: { label: { value: 'text', does: 'a label' } },
      next: 'npm run other-things.',
      commands: {
        list: { usage: 'list', does: 'list all', run: async (deps) => `all of ${deps}` },
        'keys create': {
          usage: 'keys create NAME',
          does: 'create a key',
          run: async (_deps, { words, texts }) => `${words.join()} ${texts.label}`,
        },
      },
    };
    const ran = async (args: readonly string[]) => {
      const called = readCommand(TABLE, args);
      return called?.command.run('them', called.given);
    };

    it('finds commands of one word and of two, and hands on what comes after them', async () => {
      expect(await ran(['list'])).toBe('all of them');
      expect(await ran(['keys', 'create', 'mine', '--label', 'first'])).toBe('mine first');
    });

    it('prints its commands as help: asked for, or with nothing typed', () => {
      for (const args of [['help'], ['--help'], [], ['list', '--help']]) {
        const text = printed(() => expect(readCommand(TABLE, args)).toBeUndefined());
        expect(text).toMatch(
          /list +list all[\s\S]*keys create NAME +create a key[\s\S]*\n\nNext: npm run other-things\.$/,
        );
      }
    });

    it.each([['nothing'], ['keys', 'drop'], ['toString'], ['keys']])('refuses %s', (...args) => {
      expect(() => readCommand(TABLE, args)).toThrow(/^No command "/);
    });
  });

  describe('help', () => {
    it('wraps at the width of the terminal, beside what is typed', () => {
      const rows = [
        ['  --rate <number>', 'how many requests per second are sent, at most, by all threads together'],
        ['  --quiet', 'say less'],
      ] as const;
      expect(wrapColumns(rows, 50)).toBe(
        [
          '  --rate <number>  how many requests per second',
          '                   are sent, at most, by all',
          '                   threads together',
          '  --quiet          say less',
        ].join('\n'),
      );
      expect(wrapText('one two three', 8)).toBe('one two\nthree');
      for (const line of wrapColumns(rows, 60).split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    });

    it('no help text is broken by hand within a sentence', () => {
      const root = join(__dirname, '../../..');
      const sources = ['bin', 'bench', 'demo', 'local', 'training'].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts'))
          .map((name) => readFileSync(join(root, folder, name), 'utf8'))
          .filter((source) => source.includes('cli/command-line')),
      );
      expect(sources.length).toBeGreaterThan(20);
      const broken = sources.flatMap((source) => source.match(/[a-z,](\\n|',\n +')(?!npm )[a-z].*/g) ?? []);
      expect(broken).toEqual([]);
    });

    it.each([
      [132, '60', 132],
      [undefined, '60', 60],
      [0, '60', 60],
      [undefined, undefined, 100],
      [undefined, 'wide', 100],
      [undefined, '0', 100],
      [12, undefined, 40],
    ])('takes a terminal of %s columns, in a shell that says %s, for one of %s', (columns, shell, width) => {
      expect(terminalWidth(columns ?? 0, shell ?? '')).toBe(width);
    });

    it('breaks a long list after a comma or a bar, where there is no space', () => {
      const rows = [
        ['  --events <a,b>', 'event types (default case.created,case.resolved,decision.reviewed)'],
      ] as const;
      expect(wrapColumns(rows, 40).split('\n')).toEqual([
        '  --events <a,b>  event types (default',
        '                  case.created,',
        '                  case.resolved,',
        '                  decision.reviewed)',
      ]);
      expect(wrapText('npm run rules -- check|test|diff|apply FILE', 20, 2)).toBe(
        'npm run rules --\n  check|test|diff|\n  apply FILE',
      );
    });

    it('breaks what is typed between its options, never within one', () => {
      const rows = [['  keys create ID [--label TEXT] [--role ROLE] [--expires 90d]', 'create a key']] as const;
      expect(wrapColumns(rows, 40)).toBe(
        ['  keys create ID [--label TEXT]', '    [--role ROLE] [--expires 90d]', `${' '.repeat(20)}create a key`].join(
          '\n',
        ),
      );
    });

    it('is there for every command in package.json', () => {
      const root = join(__dirname, '../../..');
      const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
      const files = Object.values(scripts).flatMap((script: string) =>
        [...script.matchAll(/(?:tsx|run-bundled\.ts) ([\w/-]+\.ts)/g)].map(([, file = '']) => file),
      );
      const helpless = [...new Set(files)].filter((file) => {
        // It hands everything on to a command that has its own.
        if (file === 'bin/run-bundled.ts') return false;
        return !/readCommandLine|readCommand\b|runPlainCommand|_HELP|--help|help:|localOptions|tableCommand/.test(
          readFileSync(join(root, file), 'utf8'),
        );
      });
      expect(helpless).toEqual([]);
      // With a chain, or a setting before it, --help would run the first command and explain the last.
      const chained = Object.values(scripts).filter((script: string) => /&&|;|^\w+=/.test(script));
      expect(chained).toEqual([]);
    });
  });

  it('a file that is not there is one sentence', () => {
    let error: unknown;
    try {
      readFileSync('/nowhere/history.csv');
    } catch (caught) {
      error = caught;
    }
    expect(failureText(error)).toBe('No such file: /nowhere/history.csv. Check the path; --help shows an example.');
    expect(failureText(new Error('a bug'))).toBeUndefined();
  });
});

describe('progress bar', () => {
  it('tells the rate of the steps alone, and what was done between them', async () => {
    let nowMs = 0;
    const bar = progressBar('lines', 200, () => nowMs);
    for (let i = 0; i < 200; i++) {
      nowMs += 1;
      bar.step();
      if (i % 100 !== 0) continue;
      expect(
        await bar.aside(async () => {
          nowMs += 30_000;
          return 'learnt';
        }),
      ).toBe('learnt');
    }
    expect(bar.stop()).toBe('200 lines in 1:00, 1000 per second between 2 trainings, which took 1:00');
    expect(progressBar('rows', 0, () => 0).stop()).toBe('0 rows in 0:00, 0 per second');
  });
});
