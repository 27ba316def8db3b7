import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const DIRECTORY = join(__dirname, '../../../.github/workflows');
const read = (file: string): string => readFileSync(join(DIRECTORY, file), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

describe('workflows', () => {
  it.each(readdirSync(DIRECTORY))('%s parses, has least permissions by default and a time limit', (file) => {
    const { permissions, jobs } = parse(read(file));
    expect(permissions.contents).toBe('read');
    for (const job of Object.values<Record<string, unknown>>(jobs))
      expect(job['timeout-minutes']).toEqual(expect.any(Number));
  });
});

describe('the sample that deploys', () => {
  const text = read('deploy-sample.yml');
  const { on, jobs, permissions } = parse(text);
  const steps: readonly Step[] = jobs.deploy.steps;

  it('runs only when somebody starts it, for a stage that exists', () => {
    expect(Object.keys(on)).toEqual(['workflow_dispatch']);
    expect(on.workflow_dispatch.inputs.stage.options).toEqual(['sandbox', 'production']);
  });

  it('pins every action to a commit, with its version beside it', () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(used.length).toBeGreaterThanOrEqual(3);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('has no secret: AWS trusts the identity of the workflow', () => {
    expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(text).not.toMatch(/secrets\.|access-key|AWS_SECRET/i);
    const credentials = steps.find(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials'));
    expect(credentials?.with).toHaveProperty('role-to-assume');
  });

  it('puts no input into a command: a shell would run what it says', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  it('tests, deploys and verifies, in this order', () => {
    const commands = steps.flatMap(({ run = '' }) => /npm run (\w+)/.exec(run)?.[1] ?? []);
    expect(commands).toEqual(['check', 'deploy', 'verify']);
    const { scripts } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
    for (const command of commands) expect(scripts).toHaveProperty(command);
  });
});
