import type { StreamRecord } from './stream-batch';
import type { Page } from './stream-reader';

/**
 * Determines when the changes in a shard were made. DynamoDB records the second, DynamoDB Local only the minute; but a
 * change that was not there when the shard was last read to its end was made after that.
 */
export function changeTimes(now: () => number = Date.now): (read: Promise<Page>, limit: number) => Promise<Page> {
  let readToEndAtMs = 0;
  return async (read, limit) => {
    const begunAtMs = now();
    const { records, next } = await read;
    const notBefore = Math.floor(readToEndAtMs / 1_000);
    if (records.length < limit) readToEndAtMs = begunAtMs;
    return { records: records.map((record) => laterThan(notBefore, record)), next };
  };
}

function laterThan(seconds: number, record: StreamRecord): StreamRecord {
  const { ApproximateCreationDateTime: told } = record.dynamodb;
  if (told === undefined || told >= seconds) return record;
  return { ...record, dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: seconds } };
}
