import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type Given, readCommandLine, runCommand, stageOf, UsageError } from '../shared/cli/command-line';
import { apiAt, throwAwayAccount } from './verify/check';
import { CHECKS } from './verify/checks';
import { localReceiver, namedReceiver, queueReceiver, type Receiver } from './verify/receiver';
import { reportText, resultLine, runChecks } from './verify/run-checks';
import { type Subject, stageAt, stageInAws } from './verify/subject';
import { checkNames, deployVerifyStack, removeVerifyStack, VERIFY_LINE, verifyContext } from './verify/verify-stack';

/** Set up for this run, and always removed. */
type CleanUp = Array<readonly [what: string, undo: () => Promise<unknown>]>;

async function receiverFor({ operator }: Subject, { texts, lists }: Given, cleanUp: CleanUp) {
  const { receiver: named } = texts;
  if (named === 'none') return {};
  if (named) return { receiver: namedReceiver(named) };
  if (operator?.where === 'AWS') {
    const { DeploymentOptions: kept = '{}' } = await operator.outputs();
    const context = verifyContext(kept, lists.context ?? []);
    cleanUp.push(['stack FraudScreening-Verify', async () => removeVerifyStack(context)]);
    const { ReceiverUrl, ReceiverQueueUrl, AuthorizationProbeUrl } = await deployVerifyStack(context);
    return { receiver: queueReceiver(ReceiverUrl, ReceiverQueueUrl), authorizationProbe: AuthorizationProbeUrl };
  }
  if (!operator) return {};
  const receiver: Receiver = await localReceiver();
  cleanUp.push(['receiver', receiver.close]);
  return { receiver };
}

async function undo(cleanUp: CleanUp): Promise<string[]> {
  const lines: string[] = [];
  for (const [what, remove] of [...cleanUp].reverse()) {
    await remove().then(
      () => lines.push(`${what} removed`),
      (error: Error) => lines.push(`${what} NOT removed: ${error.message}`),
    );
  }
  return lines;
}

async function verify(given: Given, subject: Subject): Promise<boolean> {
  const { key, report, token } = given.texts;
  const choice = { only: checkNames(given, 'only'), skip: checkNames(given, 'skip') };
  if (!key && !subject.admin) throw new UsageError('Give an API key with --key.');
  const startedMs = Date.now();
  const run = randomBytes(5).toString('hex');
  let serial = 0;
  const cleanUp: CleanUp = [];
  let results: Awaited<ReturnType<typeof runChecks>> = [];
  let left: string[] = [];
  // Ctrl-C must not leave an account behind.
  process.once('SIGINT', () => void undo(cleanUp).then(() => process.exit(130)));
  try {
    const account = subject.admin && !key ? await throwAwayAccount(subject.admin, `verify ${run}`) : undefined;
    if (account) cleanUp.push([`account ${account.accountId}`, account.remove]);
    const receiving = await receiverFor(subject, given, cleanUp);
    const context = {
      ...subject,
      stage: stageOf(given),
      api: apiAt(subject.url),
      key: key ?? account?.key ?? '',
      account,
      token,
      receiver: undefined,
      authorizationProbe: undefined,
      ...receiving,
      startedMs,
      newName: (prefix: string) => `${prefix}-${run}-${++serial}-${randomBytes(4).toString('hex')}`,
    };
    results = await runChecks(CHECKS, context, {
      ...choice,
      now: Date.now,
      onStart: ({ name, proves }, position) => console.error(`${position}  ${name}: ${proves}`),
      onEnd: (result) => {
        if (result.outcome === 'failed') console.error(resultLine(result));
      },
    });
  } finally {
    left = await undo(cleanUp);
  }
  const text = reportText(subject.description, results, left);
  console.log(text);
  if (report) writeFileSync(report, `${text}\n`);
  return results.every(({ outcome }) => outcome !== 'failed');
}

runCommand(async () => {
  const given = readCommandLine(VERIFY_LINE);
  if (!given) return;
  const { url, console: page } = given.texts;
  if (!url && !given.flags.has('aws')) throw new UsageError('Give --aws, or --url.\nTry --help.');
  const subject = url ? await stageAt(url, stageOf(given), page) : await stageInAws(stageOf(given));
  console.error(`# ${subject.description}`);
  if (!(await verify(given, subject))) process.exitCode = 1;
});
