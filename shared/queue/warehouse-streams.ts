import { unavailable } from '../domain/errors';
import { WAREHOUSE_TABLE_NAMES, type WarehouseRow, type WarehouseTable } from '../domain/warehouse/warehouse-tables';
import { jsonCalls, type ServiceAddress } from '../store/sdk/signed-requests';

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
 * its change is relayed again.
 */
export function warehouseStreams(address: Omit<ServiceAddress, 'service'>, streams: StreamNames) {
  const call = jsonCalls({ ...address, service: 'firehose' }, 'Firehose_20150804', PATIENCE);
  const waiting = new Map<WarehouseTable, Waiting[]>(WAREHOUSE_TABLE_NAMES.map((table) => [table, []]));
  let isScheduled = false;

  async function putOnce(stream: string, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const input = { DeliveryStreamName: stream, Records: batch.map(({ data }) => ({ Data: data })) };
    const { RequestResponses: results = [] } = await call<BatchAnswer>('PutRecordBatch', input);
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
