import { setImmediate as nextTurn } from 'node:timers/promises';
import { localRun } from './local-run';

interface Denial {
  readonly function: string;
  readonly action: string;
  readonly resource: string;
  readonly partitions: readonly string[];
  readonly missing: string;
}

async function denials(): Promise<Denial[]> {
  // A test that waited for a child process without letting the event loop turn has not yet noticed that the gateway closed
  // idle connections: the next request would be written to one of them.
  await nextTurn();
  return (await (await fetch(`${localRun().url}/_local/denials`)).json()) as Denial[];
}

let before = 0;

beforeAll(async () => {
  before = (await denials()).length;
});

// A missing grant shows as a 500 somewhere; this says which grant of which function, with the first test that lacks it.
afterEach(async () => {
  const all = await denials();
  const refused = all.slice(before);
  before = all.length;
  const lines = refused.map(
    ({ function: name, action, resource, partitions, missing }) =>
      `AccessDenied: ${name} may not ${action} on ${[resource, ...partitions].join(' ')}. Missing grant: ${missing}`,
  );
  if (lines.length > 0) throw new Error([...new Set(lines)].join('\n'));
});
