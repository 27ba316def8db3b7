import { localRun } from './local-run';

interface Denial {
  readonly function: string;
  readonly action: string;
  readonly resource: string;
}

async function denials(): Promise<Denial[]> {
  return (await (await fetch(`${localRun().url}/_local/denials`)).json()) as Denial[];
}

let before = 0;

beforeAll(async () => {
  before = (await denials()).length;
});

// A missing grant shows as a 500 somewhere; this says which grant of which function.
afterAll(async () => {
  const refused = (await denials()).slice(before);
  const lines = refused.map(
    (denial) => `AccessDenied: ${denial.function} may not ${denial.action} on ${denial.resource}`,
  );
  if (lines.length > 0) throw new Error([...new Set(lines)].join('\n'));
});
