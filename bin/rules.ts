import { readFileSync } from 'node:fs';
import { FraudScreeningError } from '../sdk/client/src';
import { createTransport, pathOf } from '../sdk/client/src/request';
import type { RuleTest } from '../sdk/client/src/types';
import {
  type CommandTable,
  type Given,
  needWord,
  readCommand,
  runCommand,
  UsageError,
} from '../shared/cli/command-line';
import {
  type Bodies,
  membersOf,
  type Policy,
  readPolicyFile,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
} from '../shared/cli/policy-file';
import { ruleTestLine } from '../shared/cli/rule-test-line';
import { count } from '../shared/domain/screening/sentence';
import { isDeclared, type Listed, nameOf, type PolicyPlan, type PolicyStep, planPolicy } from './rules/plan-policy';

type Account = Readonly<Partial<Record<SectionName, readonly Listed[]>>>;
type Transport = ReturnType<typeof createTransport>;

function transportOf({ texts }: Given): Transport {
  const { url: baseUrl = 'http://localhost:3000', 'key-file': keyFile } = texts;
  if (keyFile === undefined) throw new UsageError('--key-file is required: a file with an API key in it');
  return createTransport({ apiKey: readFileSync(keyFile, 'utf8').trim(), baseUrl });
}

/** A fault that the caller can mend, in a sentence; anything else is a bug and stays what it is. */
function refusal(error: unknown, what: string): unknown {
  if (!(error instanceof FraudScreeningError)) return error;
  const next = error.code === 'connection_failed' ? '. Start the service with npm start, or name it with --url.' : '';
  return new UsageError(`${what}: ${error.message}${next}`);
}

/** Sends a call of the API. */
async function send<Answer>(transport: Transport, call: Parameters<Transport['send']>[0]): Promise<Answer> {
  try {
    return (await transport.send(call)) as Answer;
  } catch (error) {
    throw refusal(error, `${call.method} ${call.path}`);
  }
}

async function accountOf(transport: Transport): Promise<Account> {
  const read = async (section: SectionName) => {
    const answer = await send<Readonly<Record<string, unknown>>>(transport, {
      method: 'GET',
      path: SECTIONS[section].path,
    });
    return [section, answer[section] as readonly Listed[]] as const;
  };
  return Object.fromEntries(await Promise.all(SECTION_NAMES.map(read)));
}

const existingOf = (account: Account) =>
  Object.fromEntries(
    SECTION_NAMES.map((section): [SectionName, Bodies] => [
      section,
      new Map((account[section] ?? []).filter(isDeclared).map((each) => [nameOf(each), membersOf(section, each)])),
    ]),
  );

async function policyOf(given: Given, account?: Account): Promise<Policy> {
  const file = needWord(given, 0, 'file');
  const read = await readPolicyFile(readFileSync(file, 'utf8'), account && existingOf(account));
  if ('policy' in read) return read.policy;
  throw new UsageError(`${file} cannot be applied:\n${read.faults.map((fault) => `  ${fault}`).join('\n')}`);
}

async function plan(given: Given): Promise<{ readonly transport: Transport; readonly plan: PolicyPlan }> {
  const transport = transportOf(given);
  const account = await accountOf(transport);
  return { transport, plan: planPolicy((await policyOf(given, account)).sections, account) };
}

async function take(transport: Transport, { section, name, body, ifVersion }: PolicyStep): Promise<void> {
  const path = pathOf(`${SECTIONS[section].path}/{}`, name);
  const headers = ifVersion === undefined ? {} : { 'If-Match': `"${ifVersion}"` };
  await send(transport, body ? { method: 'PUT', path, body, headers } : { method: 'DELETE', path, headers });
}

/** The effect a rule would have had. A rule that names something apply has yet to declare cannot be tested before. */
async function tested(transport: Transport, name: string, body: object): Promise<string> {
  try {
    return ruleTestLine(name, await transport.send<RuleTest>({ method: 'POST', path: '/v1/rules/test', body }));
  } catch (error) {
    if (!(error instanceof FraudScreeningError) || error.code !== 'invalid_request') throw refusal(error, name);
    return `${name}: cannot be tested before it is applied (${error.message})`;
  }
}

const COMMANDS: CommandTable<undefined> = {
  program: 'npm run rules',
  about:
    'Keeps the attributes, event types, counters, lists and rules of an account in a file. Exits with 0 if all is well, with 1 on faults and differences.',
  usage: 'npm run rules -- check|test|diff|apply FILE.yaml [--url URL] [--key-file FILE]',
  options: {
    url: { value: 'url', does: 'where the API answers (default: the local run)' },
    'key-file': { value: 'file', does: 'a file with the API key of the account' },
  },
  next: 'docs/guide/rules.md shows a file to begin with.',
  commands: {
    check: {
      usage: 'check FILE.yaml [--key-file FILE]',
      does: 'check names and expressions; without a key by the file alone, and without a connection',
      run: async (_, given) => {
        const account = given.texts['key-file'] === undefined ? undefined : await accountOf(transportOf(given));
        const { sections } = await policyOf(given, account);
        const counted = SECTION_NAMES.filter((section) => sections[section] !== undefined);
        const text = counted
          .map((section) => count(sections[section]?.size ?? 0, section.replace('_', ' ').replace(/s$/, '')))
          .join(', ');
        return `${text}: no faults.`;
      },
    },
    test: {
      usage: 'test FILE.yaml --key-file FILE [--url URL]',
      does: 'tell what each rule would have done to the stored traffic of the account; nothing is changed',
      run: async (_, given) => {
        const transport = transportOf(given);
        const { rules } = await policyOf(given, await accountOf(transport));
        const lines: string[] = [];
        for (const [name, { expression, action, points }] of rules) {
          lines.push(await tested(transport, name, { expression, action, points }));
        }
        return lines.length === 0 ? 'The file has no rules to test.' : lines.join('\n');
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
      does: 'make the account what the file says, section by section; a rule that somebody changed meanwhile stops it',
      run: async (_, given) => {
        const { transport, plan: changes } = await plan(given);
        for (const step of changes.steps) await take(transport, step);
        const written = changes.steps.filter(({ body }) => body !== undefined).length;
        return [...changes.lines, `${written} written, ${changes.steps.length - written} deleted.`].join('\n');
      },
    },
  },
};

runCommand(async () => {
  const called = readCommand(COMMANDS);
  if (called) console.log(await called.command.run(undefined, called.given));
});
