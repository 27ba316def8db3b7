import { unavailable } from '../domain/errors';
import { WAREHOUSE_TABLE_NAMES, type WarehouseRow, type WarehouseTable } from '../domain/warehouse/warehouse-tables';
import { type ServiceAddress, signedRequests } from '../store/sdk/signed-requests';

/** The names of the delivery streams, by table. */
export type StreamNames = Readonly<Record<WarehouseTable, string>>;

/*
 * PutRecordBatch takes at most 500 records and 4 MiB per call, and answers 200 with failures inside
 * (https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html).
 */
const MOST_RECORDS = 500;
const MOST_BYTES = 4_000_000;
const TRIES = 3;
const PATIENCE = { connectionTimeout: 1_000, requestTimeout: 5_000 };

interface Waiting {
  readonly data: string;
  readonly taken: () => void;
  readonly refused: (error: Error) => void;
}

interface BatchAnswer {
  readonly RequestResponses?: ReadonlyArray<{ readonly ErrorCode?: string }>;
}

/**
 * Sends rows to Data Firehose. Rows of one moment share a call; each is taken or throws `unavailable` by itself, so that only
 * its change is relayed again. The SDK would be the largest part of the bundle: the protocol is a signed POST of JSON.
 */
export function warehouseStreams(address: Omit<ServiceAddress, 'service'>, streams: StreamNames) {
  const post = signedRequests({ ...address, service: 'firehose' }, PATIENCE);
  const headers = { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': 'Firehose_20150804.PutRecordBatch' };
  const waiting = new Map<WarehouseTable, Waiting[]>(WAREHOUSE_TABLE_NAMES.map((table) => [table, []]));
  let isScheduled = false;

  async function putOnce(stream: string, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const body = JSON.stringify({ DeliveryStreamName: stream, Records: batch.map(({ data }) => ({ Data: data })) });
    const { status, body: said } = await post({ method: 'POST', headers, body });
    const text = said.toString();
    if (status >= 300) throw new Error(`PutRecordBatch: ${status} ${text.slice(0, 500)}`);
    const { RequestResponses: results = [] } = JSON.parse(text) as BatchAnswer;
    // One without a result counts as refused.
    const isTaken = (at: number): boolean => results[at] !== undefined && results[at]?.ErrorCode === undefined;
    for (const [at, each] of batch.entries()) if (isTaken(at)) each.taken();
    return batch.filter((_, at) => !isTaken(at));
  }

  async function put(table: WarehouseTable, batch: readonly Waiting[]): Promise<void> {
    let left = batch;
    let error = new Error('PutRecordBatch refused the record');
    for (let tryNumber = 1; tryNumber <= TRIES && left.length > 0; tryNumber++) {
      left = await putOnce(streams[table], left).catch((cause: unknown) => {
        error = cause as Error;
        return left;
      });
    }
    for (const each of left) each.refused(error);
  }

  function flush(): void {
    isScheduled = false;
    for (const [table, all] of waiting) {
      waiting.set(table, []);
      for (const batch of batchesOf(all)) void put(table, batch);
    }
  }

  const putRow = ({ table, values }: WarehouseRow): Promise<void> =>
    new Promise<void>((taken, refused) => {
      // A line each: Glue's JSON reader and people with a text editor both like it. In base64, as the API wants blobs.
      const data = Buffer.from(`${JSON.stringify(values)}\n`).toString('base64');
      waiting.get(table)?.push({ data, taken, refused: (error) => refused(unavailable(error)) });
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(flush);
    });

  return {
    async put(rows: readonly WarehouseRow[]): Promise<void> {
      await Promise.all(rows.map(putRow));
    },
  };
}

function batchesOf(all: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = [];
  let bytes = 0;
  for (const each of all) {
    const last = batches.at(-1);
    bytes += each.data.length;
    if (last === undefined || last.length >= MOST_RECORDS || bytes > MOST_BYTES) {
      batches.push([each]);
      bytes = each.data.length;
    } else last.push(each);
  }
  return batches;
}
