import { parseArgs } from 'node:util';

export interface StartOptions {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly allowDecisions: boolean;
}

/** A mistake in how the server was started: shown as one sentence. */
export class StartError extends Error {}

export const HELP = `MCP server of the Fraud Screening Service, over standard input and output.

  node sdk/mcp/dist/bin/index.js [--url <ApiUrl>] [--allow-decisions]

  --url <ApiUrl>      your deployment, without /v1 (default: FRAUD_SCREENING_URL)
  --key <key>         the API key; other processes can see it here, so prefer FRAUD_SCREENING_KEY
  --allow-decisions   also offer resolve_case, review_decision and activate_rule
  --help              show this help
`;

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  'allow-decisions': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch {
    // The parser's message repeats the argument, which may be a key in the wrong place.
    throw new StartError('Unknown or incomplete option. Use --url, --key, --allow-decisions or --help.');
  }
};

/** Reads flags, then the environment; undefined if only help was asked for. */
export function readStartOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): StartOptions | undefined {
  const given = parse(args);
  if (given.help) return undefined;
  const apiKey = given.key ?? env.FRAUD_SCREENING_KEY ?? '';
  const baseUrl = given.url ?? env.FRAUD_SCREENING_URL ?? '';
  if (!baseUrl) throw new StartError('Set FRAUD_SCREENING_URL or --url to the ApiUrl of your deployment.');
  if (!apiKey) throw new StartError('Set FRAUD_SCREENING_KEY to an API key of your deployment.');
  return { apiKey, baseUrl, allowDecisions: given['allow-decisions'] ?? false };
}
