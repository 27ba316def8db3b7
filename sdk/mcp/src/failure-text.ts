import { FraudScreeningError } from '../../client/src';

/** What to change, by the code of the error. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: 'Set FRAUD_SCREENING_KEY to a valid key of this deployment and restart the server.',
  forbidden: 'The role of this key does not allow it. Start the server with a key whose role does.',
  not_found: 'Check the ID; find_cases and list_decisions show valid ones.',
  case_not_open: 'Read the case with get_case: it has been resolved or has expired.',
  case_claimed: 'Somebody is working on the case. Ask them, or wait until their claim ends.',
  version_mismatch: 'The rule has changed. Show the person the current version before trying again.',
  rate_limited: 'Wait a minute, then repeat the call.',
  connection_failed: 'Check FRAUD_SCREENING_URL (or --url) and that the service is running.',
  timed_out: 'Repeat the call; if it keeps timing out, check the deployment.',
  unexpected_answer: 'Check FRAUD_SCREENING_URL (or --url): something else answers there.',
};

/** A failure in words that say what to change. */
export function failureText(error: unknown): string {
  if (!(error instanceof FraudScreeningError)) return error instanceof Error ? error.message : String(error);
  const request = error.requestId ? ` (request ${error.requestId})` : '';
  return [`${error.code}: ${error.message}${request}`, ADVICE[error.code]].filter((text) => text).join(' ');
}
