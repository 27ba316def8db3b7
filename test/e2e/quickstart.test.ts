import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../local/backends/start-backends';
import { paste, type Step, shown, stepsOf } from '../support/guide-steps';
import { GENEROUS_BUDGETS, patient } from '../support/patience';
import { openTerminal, type Terminal } from '../support/terminal';

const ROOT = join(__dirname, '../..');
const PATIENCE_MS = 240_000;
const house = mkdtempSync(join(tmpdir(), 'newcomer-'));
const terminals = new Map<number, Terminal>();
// A newcomer has no assembly from anybody: `npm start` makes its own here.
const { LOCAL_ASSEMBLY: _, ...without } = process.env;
const newcomer = { ...without, ...GENEROUS_BUDGETS };

afterAll(async () => {
  // The service last: the listener removes its endpoint on the way out.
  for (const [, terminal] of [...terminals].sort(([a], [b]) => b - a)) await terminal.close();
  rmSync(house, { recursive: true, force: true });
}, patient(90_000));

/** All that is changed of what the guide says: packages are there, ports and folders are the test's own. */
function adapt(text: string, servicePort: number, receiverPort: number): string {
  const data = join(house, 'data');
  return text
    .replace(/^npm ci$/m, '')
    .replace('npm start -- ', `npm start -- --port ${servicePort} --in-memory --data-dir ${data} `)
    .replace('npm run listen -- ', `npm run listen -- --port 0 --data-dir ${data} `)
    .replaceAll('localhost:3000', `localhost:${servicePort}`)
    .replaceAll('localhost:4000', `localhost:${receiverPort}`)
    .replaceAll('listen(4000', `listen(${receiverPort}`)
    .replaceAll('../my-shop', join(house, 'my-shop'));
}

function terminal(number: number): Terminal {
  const open = terminals.get(number) ?? openTerminal(ROOT, newcomer);
  terminals.set(number, open);
  return open;
}

const everythingSaid = (): string => [...terminals.values()].map((each) => each.said()).join('\n');

async function follow({ does, text, ...step }: Step, next: Step | undefined): Promise<void> {
  const here = terminal(step.terminal);
  if (does === 'see') {
    for (const line of text.trim().split('\n')) await here.until(shown(line), PATIENCE_MS);
  } else if (does === 'save') {
    const [, name = ''] = /^\/\/ (\S+)\n/.exec(text) ?? [];
    writeFileSync(join(house, 'my-shop', name), text);
  } else {
    here.type(paste(text, everythingSaid()));
    // What shows something may go on running; anything else must end well before the next step.
    if (next?.does !== 'see' || next.terminal !== step.terminal) await here.prompt(PATIENCE_MS);
  }
}

it('a newcomer follows the quickstart, command by command, to a verified webhook', async () => {
  const [servicePort, receiverPort] = [await freePort(), await freePort()];
  const steps = stepsOf(join(ROOT, 'docs/guide/quickstart.md')).map((step) => ({
    ...step,
    text: adapt(step.text, servicePort, receiverPort),
  }));
  expect(steps.filter(({ does }) => does === 'run').length).toBeGreaterThan(5);
  for (const [at, step] of steps.entries()) await follow(step, steps[at + 1]);

  // The guide shows the resolution; what else is told of it comes in any order.
  await terminal(4).until(/^verified decision\.reviewed block/m, PATIENCE_MS);
  const received = terminal(4)
    .said()
    .split('\n')
    .filter((line) => /^(verified|refused) /.test(line));
  expect(received.sort()).toEqual([
    'verified case.created open',
    'verified case.resolved rejected',
    'verified decision.reviewed block',
    'verified event.screened allow',
    'verified transaction.screened review',
  ]);
}, 600_000);
