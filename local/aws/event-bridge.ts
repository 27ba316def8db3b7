import { AwsError } from './call';

type Input = Readonly<Record<string, unknown>>;

/** The limits of `PutEvents` that a caller can run into. */
const MOST_ENTRIES = 10;
const MOST_BYTES = 262_144;

/**
 * EventBridge as far as the service uses it: it takes events and hands them to nobody. Who receives them is decided by rules on a bus
 * that is not part of the stack.
 */
export function putEventsAnswer(operation: string, { Entries: entries }: Input): object {
  if (operation !== 'PutEvents')
    throw new AwsError('UnknownOperationException', `The local run does not emulate events:${operation}.`);
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > MOST_ENTRIES)
    throw new AwsError('ValidationException', `Entries must have 1 to ${MOST_ENTRIES} members.`);
  if (Buffer.byteLength(JSON.stringify(entries)) > MOST_BYTES)
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
  const results = (entries as readonly Input[]).map((entry, at) => entryResult(entry, at));
  return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
}

function entryResult({ Source: source, DetailType: type, Detail: detail }: Input, at: number): object {
  if (!source || !type || !detail)
    return { ErrorCode: 'InvalidArgument', ErrorMessage: 'Source, DetailType or Detail' };
  try {
    JSON.parse(String(detail));
  } catch {
    return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  }
  return { EventId: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` };
}
