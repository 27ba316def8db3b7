import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_VERSION } from '../../shared/domain/api-version';
import { newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { patient } from '../support/patience';

const PACKAGE = join(__dirname, '../../sdk/python');
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

/** Runs it alongside the service, which lives in this process tree, and returns what it printed. */
async function python(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn('python3', ['-B', ...args], { cwd: PACKAGE, env: { ...process.env, ...env } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(printed);
  return printed;
}

const withPython = hasPython ? it : it.skip;

withPython(
  'the Python client passes its own tests, over HTTP against this service (needs Python 3.9)',
  async () => {
    const { key } = await newAccount('python');
    const printed = await python(['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.', '-v'], {
      FRAUD_SCREENING_URL: localRun().url,
      FRAUD_SCREENING_KEY: key,
    });
    expect(printed).toMatch(/\nOK\n$/);
    expect(printed).toMatch(/test_a_payment_and_its_result .*ok/);
  },
  patient(120_000),
);

withPython('its wheel builds without network and holds the package with its types (needs Python 3.9)', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'wheel-'));
  try {
    await python(['build_wheel.py', directory]);
    const [wheel = ''] = readdirSync(directory);
    expect(wheel).toMatch(/^fraud_screening-\d+\.\d+\.\d+-py3-none-any\.whl$/);
    const program = `import sys; sys.path.insert(0, ${JSON.stringify(join(directory, wheel))})
import fraud_screening, zipfile
names = zipfile.ZipFile(sys.path[0]).namelist()
print(fraud_screening.__file__, fraud_screening.__version__, 'fraud_screening/py.typed' in names)`;
    const printed = await python(['-I', '-c', program]);
    expect(printed).toContain(wheel);
    expect(printed.endsWith(` ${SERVICE_VERSION} True\n`)).toBe(true);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
