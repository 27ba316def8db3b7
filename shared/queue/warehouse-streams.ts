import { unavailable } from '../domain/errors';
import { WAREHOUSE_TABLE_NAMES, type WarehouseRow, type WarehouseTable } from '../domain/warehouse/warehouse-tables';
import { jsonCalls, type ServiceAddress } from '../store/sdk/signed-requests';

/** The names of the delivery streams, by table. */
export type StreamNames = Readonly<Record<WarehouseTable, string>>;

/*
 * PutRecordBatch takes at most 500 records and 4 MiB per call, and answers 200 with failures inside
 * (https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html). A row has about 7 KB.
 */
const BATCH = 100;
const TRIES = 3;
const PATIENCE = { connectionTimeout: 1_000, requestTimeout: 5_000 };

interface Waiting {
  readonly table: WarehouseTable;
  readonly data: string;
  readonly settle: (error: Error | undefined) => void;
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
  let waiting: Waiting[] = [];

  /** Those that were not taken. */
  async function putOnce(table: WarehouseTable, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const input = { DeliveryStreamName: streams[table], Records: batch.map(({ data }) => ({ Data: data })) };
    const { RequestResponses: results = [] } = await call<BatchAnswer>('PutRecordBatch', input);
    // One without a result counts as refused.
    return batch.filter((_, at) => results[at] === undefined || results[at]?.ErrorCode !== undefined);
  }

  async function put(table: WarehouseTable, batch: readonly Waiting[]): Promise<void> {
    let left = batch;
    let error = new Error('PutRecordBatch refused the record');
    for (let tryNumber = 1; tryNumber <= TRIES && left.length > 0; tryNumber++) {
      left = await putOnce(table, left).catch((cause: Error) => {
        error = cause;
        return left;
      });
    }
    for (const each of batch) each.settle(left.includes(each) ? error : undefined);
  }

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (const table of WAREHOUSE_TABLE_NAMES) {
      const rows = all.filter((each) => each.table === table);
      while (rows.length > 0) void put(table, rows.splice(0, BATCH));
    }
  }

  const putRow = ({ table, values }: WarehouseRow): Promise<void> =>
    new Promise<void>((taken, refused) => {
      // A line each: Glue's JSON reader and people with a text editor both like it. In base64, as the API wants blobs.
      const data = Buffer.from(`${JSON.stringify(values)}\n`).toString('base64');
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ table, data, settle: (error) => (error ? refused(unavailable(error)) : taken()) });
    });

  return {
    async put(rows: readonly WarehouseRow[]): Promise<void> {
      await Promise.all(rows.map(putRow));
    },
  };
}
