import { type CommandLine, type Given, UsageError } from '../../shared/cli/command-line';
import { STAGE_OPTIONS } from '../../shared/cli/stage-options';
import { CHECKS } from './checks';

export const VERIFY_LINE = {
  usage: 'npm run verify -- --aws --stage sandbox   or   npm run verify -- --url http://localhost:3000 [--key KEY]',
  about: 'Checks a running stage end to end, with a throw-away account: everything works, or exactly what does not.',
  options: {
    ...STAGE_OPTIONS,
    url: { value: 'url', does: 'check the API at this URL instead: a local run, or any stage with --key' },
    key: { value: 'key', does: 'use this API key; labels and screenings of the checks then stay in its account' },
    console: { value: 'url', does: 'URL of the review console, where it is not known from the outputs' },
    receiver: {
      value: 'url',
      does: 'your own webhook receiver, or "none"; by default one is started, with --aws it is deployed and removed',
    },
    token: { value: 'token', does: 'where people sign in by OpenID Connect: a token of one, which must be accepted' },
    context: {
      value: 'n=v',
      does: 'with --aws: an option of cdk for the receiver; account, region and qualifier are those of the stage',
      short: 'c',
      isList: true,
    },
    only: { value: 'a,b', does: 'only these checks' },
    skip: { value: 'a,b', does: 'all but these checks' },
    report: { value: 'file', does: 'write the report to a file as well' },
  },
  notes: `Checks: ${CHECKS.map(({ name }) => name).join(', ')}. Exits with 0 if none failed.`,
  next: 'npm run admin -- accounts create "My shop" --aws creates the first account; docs/runbook.md if a check failed.',
} as const satisfies CommandLine;

/** Names of checks, all known. */
export function checkNames({ texts }: Given, option: 'only' | 'skip'): readonly string[] {
  const names = (texts[option] ?? '').split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !CHECKS.some((check) => check.name === name));
  if (unknown)
    throw new UsageError(`--${option} ${unknown}: no such check. There are ${CHECKS.map((c) => c.name).join(', ')}.`);
  return names;
}
