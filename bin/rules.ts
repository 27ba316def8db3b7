import { readFileSync } from 'node:fs';
import { FraudScreening } from '../sdk/client/src';
import { type Given, needWord, runCommand, UsageError } from '../shared/cli/command-line';
import { type CommandTable, readCommand } from '../shared/cli/command-table';
import { type RuleFile, readRuleFile } from '../shared/cli/rule-file';
import { planRules, type RulePlan } from './rules/plan-rules';
import { testLine } from './rules/test-line';

function rulesOf(given: Given): RuleFile {
  const file = needWord(given, 0, 'file');
  const read = readRuleFile(readFileSync(file, 'utf8'));
  if ('rules' in read) return read.rules;
  throw new UsageError(`${file} cannot be applied:\n${read.faults.map((fault) => `  ${fault}`).join('\n')}`);
}

function clientOf({ texts }: Given): FraudScreening {
  const { url: baseUrl = 'http://localhost:3000', 'key-file': keyFile } = texts;
  if (keyFile === undefined) throw new UsageError('--key-file is required: a file with an API key in it');
  return new FraudScreening({ apiKey: readFileSync(keyFile, 'utf8').trim(), baseUrl });
}

async function plan(given: Given): Promise<{ readonly client: FraudScreening; readonly plan: RulePlan }> {
  const file = rulesOf(given);
  const client = clientOf(given);
  return { client, plan: planRules(file, (await client.rules.list()).rules) };
}

const COMMANDS: CommandTable<undefined> = {
  program: 'npm run rules',
  about: 'Keeps the rules of an account in a file. Exits with 0 if all is well, with 1 on faults and differences.',
  usage: 'npm run rules -- check|test|diff|apply FILE.yaml [--url URL] [--key-file FILE]',
  options: {
    url: { value: 'url', does: 'where the API answers (default: the local run)' },
    'key-file': { value: 'file', does: 'a file with the API key of the account' },
  },
  next: 'docs/guide/rules.md shows a file to begin with.',
  commands: {
    check: {
      usage: 'check FILE.yaml',
      does: 'check names and expressions, without a connection',
      run: async (_, given) => `${rulesOf(given).size} rules are fine.`,
    },
    test: {
      usage: 'test FILE.yaml --key-file FILE [--url URL]',
      does: 'tell what each rule would have done to the stored traffic of the account; nothing is changed',
      run: async (_, given) => {
        const file = rulesOf(given);
        const client = clientOf(given);
        const lines: string[] = [];
        for (const [name, { expression, action, points }] of file) {
          lines.push(testLine(name, await client.rules.test({ expression, action, points })));
        }
        return lines.join('\n');
      },
    },
    diff: {
      usage: 'diff FILE.yaml --key-file FILE [--url URL]',
      does: 'show what apply would change; exits with 1 if anything would',
      run: async (_, given) => {
        const { lines } = (await plan(given)).plan;
        if (lines.length > 0) process.exitCode = 1;
        return lines.length > 0 ? lines.join('\n') : 'No differences.';
      },
    },
    apply: {
      usage: 'apply FILE.yaml --key-file FILE [--url URL]',
      does: 'make the rules of the account those of the file; a rule that somebody changed meanwhile stops it',
      run: async (_, given) => {
        const { client, plan: changes } = await plan(given);
        for (const { name, rule, version } of changes.put) {
          const request = { ...rule, applies_to: [...rule.applies_to] };
          await client.rules.put(name, request, { ifVersion: version });
        }
        for (const { name, version } of changes.remove) await client.rules.delete(name, { ifVersion: version });
        return [...changes.lines, `${changes.put.length} written, ${changes.remove.length} deleted.`].join('\n');
      },
    },
  },
};

runCommand(async () => {
  const called = readCommand(COMMANDS);
  if (called) console.log(await called.command.run(undefined, called.given));
});
