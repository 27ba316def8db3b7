import { type Check, CheckFailure, CheckSkipped, type Need, type VerifyContext } from './check';

export interface CheckResult {
  readonly name: string;
  readonly proves: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
  readonly seconds: number;
}

export interface RunOptions {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly now: () => number;
  readonly onStart?: (check: Check, position: string) => void;
  readonly onEnd?: (result: CheckResult) => void;
}

function missing(need: Need, { account, operator }: VerifyContext): string | undefined {
  if (need === 'admin' && !account) return 'takes the right to administer accounts: --aws, or the URL of a local run';
  if (need === 'operator' && !operator) return "takes the operator's view: --aws, or the URL of a local run";
  if (need === 'aws' && operator?.where !== 'AWS') return 'API Gateway itself decides this: only with --aws';
  return undefined;
}

async function outcomeOf(check: Check, context: VerifyContext): Promise<Pick<CheckResult, 'outcome' | 'detail'>> {
  const reason = missing(check.needs, context);
  if (reason) return { outcome: 'skipped', detail: reason };
  try {
    return { outcome: 'passed', detail: (await check.run(context)) ?? '' };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof CheckSkipped) return { outcome: 'skipped', detail: message };
    // A bug in a check, or AWS refusing a call, must not look like a pass, and must not hide the other checks.
    return { outcome: 'failed', detail: error instanceof CheckFailure ? message : `unexpected: ${message}` };
  }
}

/** Runs the checks in order; none stops the others. */
export async function runChecks(
  checks: readonly Check[],
  context: VerifyContext,
  { only, skip, now, onStart, onEnd }: RunOptions,
): Promise<readonly CheckResult[]> {
  const chosen = checks.filter(({ name }) => (only.length === 0 || only.includes(name)) && !skip.includes(name));
  const results: CheckResult[] = [];
  for (const [index, check] of chosen.entries()) {
    onStart?.(check, `${index + 1}/${chosen.length}`);
    const startedMs = now();
    const outcome = await outcomeOf(check, context);
    const result = { name: check.name, proves: check.proves, ...outcome, seconds: (now() - startedMs) / 1_000 };
    results.push(result);
    onEnd?.(result);
  }
  return results;
}

const MARK = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;

export function resultLine({ outcome, name, detail, seconds }: CheckResult): string {
  return `${MARK[outcome]}  ${name.padEnd(22)} ${`${seconds.toFixed(1)} s`.padStart(7)}  ${detail}`.trimEnd();
}

export function reportText(where: string, results: readonly CheckResult[], cleanUp: readonly string[]): string {
  const of = (outcome: CheckResult['outcome']) => results.filter((result) => result.outcome === outcome);
  const [failed, skipped] = [of('failed'), of('skipped')];
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const verdict =
    failed.length === 0
      ? `Everything works: ${of('passed').length} checks passed in ${seconds.toFixed(0)} s.`
      : `${failed.length} of ${results.length} checks failed.`;
  return [
    `Verified: ${where}`,
    '',
    ...results.map(resultLine),
    '',
    verdict,
    ...failed.map(({ name, proves, detail }) => `  ${name}: ${detail}\n    It should prove that ${proves}.`),
    ...(skipped.length > 0 ? [`Not checked: ${skipped.map(({ name }) => name).join(', ')} (reasons above).`] : []),
    ...cleanUp.map((line) => `Clean-up: ${line}`),
  ].join('\n');
}
