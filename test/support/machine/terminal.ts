import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { patient } from '../patience';

const LOOK_MS = 50;
const STOP_GRACE_MS = 60_000;

/** A shell that a person types into: variables and folders stay from one command to the next. */
export interface Terminal {
  /** Types commands; they may go on running. */
  type(commands: string): void;
  /** Waits until everything typed has ended; fails with what was said when it ended badly. */
  prompt(withinMs: number): Promise<void>;
  /** Waits until it has shown a line. */
  until(pattern: RegExp, withinMs: number): Promise<void>;
  said(): string;
  /** Ctrl-C, and the window is closed. */
  close(): Promise<void>;
}

/** Opens a terminal in a folder. */
export function openTerminal(cwd: string, env: NodeJS.ProcessEnv = process.env): Terminal {
  // A separate group: Ctrl-C reaches whatever runs in it.
  const shell: ChildProcess = spawn('bash', ['--noprofile', '--norc'], { cwd, env, detached: true });
  let said = '';
  let typed = 0;
  let hasEnded = false;
  shell.once('exit', () => {
    hasEnded = true;
  });
  for (const stream of [shell.stdout, shell.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  const until = async (pattern: RegExp, withinMs: number): Promise<void> => {
    const deadline = Date.now() + patient(withinMs);
    while (!pattern.test(said)) {
      if (Date.now() > deadline || hasEnded) {
        throw new Error(`The terminal never showed ${pattern}. It showed:\n${said}`);
      }
      await delay(LOOK_MS);
    }
  };
  return {
    said: () => said,
    until,
    type(commands) {
      typed += 1;
      // Not from our pipe: a command that reads its input must not swallow the next ones.
      shell.stdin?.write(`{\n${commands}\n} </dev/null\nprintf '\\n[${typed}: %s]\\n' $?\n`);
    },
    async prompt(withinMs) {
      await until(new RegExp(`^\\[${typed}: \\d+\\]$`, 'm'), withinMs);
      if (!said.includes(`[${typed}: 0]`)) throw new Error(`A command failed:\n${said}`);
    },
    async close() {
      if (hasEnded || shell.pid === undefined) return;
      const exited = once(shell, 'exit');
      const interrupt = (signal: NodeJS.Signals): void => {
        try {
          process.kill(-(shell.pid as number), signal);
        } catch {
          // Everything in it has ended already.
        }
      };
      shell.stdin?.end();
      interrupt('SIGINT');
      const killer = setTimeout(() => interrupt('SIGKILL'), STOP_GRACE_MS);
      await exited;
      clearTimeout(killer);
    },
  };
}
