import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { unavailable } from '../../domain/errors';
import { ERASED, type ErasedMark } from '../../domain/warehouse/erased-people';
import type { WarehouseFiles, WarehouseQueries } from '../../domain/warehouse/warehouse-tables';
import { type BucketAddress, refusal, s3Requests } from '../sdk/object-store';
import { jsonCalls } from '../sdk/signed-requests';

/** The names of a stage's warehouse, as its functions get them. */
export interface WarehouseAddress {
  readonly bucket: string;
  readonly database: string;
  readonly workgroup: string;
  /** After this, files are deleted. */
  readonly days: number;
}

const tag = (xml: string, name: string): string => xml.split(`<${name}>`)[1]?.split('<')[0] ?? '';

const sender = (address: BucketAddress) => {
  const send = s3Requests(address);
  return async (method: 'GET' | 'PUT' | 'DELETE', key: string, more: Parameters<typeof send>[2]) => {
    const { status, body } = await send(method, key, more);
    if (status >= 300) throw refusal(method, key, status, body);
    return body;
  };
};

/** Writes files, and can do nothing else: for the function that takes requests for erasure. */
export const fileWriter = (address: BucketAddress): Pick<WarehouseFiles, 'write'> => {
  const sent = sender(address);
  const headers = { 'Content-Type': 'application/octet-stream' };
  return { write: async (key, body) => void (await sent('PUT', key, { headers, body })) };
};

export function warehouseFiles(address: BucketAddress): WarehouseFiles {
  const sent = sender(address);
  /** Up to a thousand files after a key. */
  async function page(prefix: string, after?: string) {
    const query = new URLSearchParams({ 'list-type': '2', prefix, ...(after && { 'start-after': after }) });
    // Encoded as S3 signs it: a space is %20.
    const xml = (await sent('GET', '', { query: `?${query.toString().replaceAll('+', '%20')}` })).toString();
    const [, ...files] = xml.split('<Contents>');
    return files.map((each) => ({
      key: tag(each, 'Key').replaceAll('&amp;', '&'),
      modifiedMs: Date.parse(tag(each, 'LastModified')),
    }));
  }
  return {
    async *below(prefix) {
      for (let files = await page(prefix); files.length > 0; files = await page(prefix, files.at(-1)?.key))
        yield* files;
    },
    read: (key) => sent('GET', key, {}),
    ...fileWriter(address),
    async remove(key) {
      await sent('DELETE', key, {});
    },
  };
}

/** Where an erasure hides somebody from the views, at once. */
export const erasedFile = (files: Pick<WarehouseFiles, 'write'>) => ({
  hide: (erasureId: string, marks: readonly ErasedMark[]): Promise<void> =>
    files.write(`${ERASED}/${erasureId}.json`, Buffer.from(marks.map((each) => `${JSON.stringify(each)}\n`).join(''))),
});

interface ResultPage {
  readonly NextToken?: string;
  readonly ResultSet: {
    readonly Rows: ReadonlyArray<{ readonly Data: ReadonlyArray<{ readonly VarCharValue?: string }> }>;
  };
}

/** Athena, as far as it is asked. */
export function athenaQueries(
  aws: Omit<BucketAddress, 'bucket'>,
  { database, workgroup }: WarehouseAddress,
): WarehouseQueries {
  const credentials = aws.credentials ?? defaultProvider();
  const send = jsonCalls({ ...aws, credentials, service: 'athena' }, 'AmazonAthena', { connectionTimeout: 2_000 });
  const call = <Answer>(operation: string, input: object): Promise<Answer> =>
    send<Answer>(operation, input).catch((error: Error & { readonly status?: number }) => {
      throw (error.status ?? 0) >= 500 || error.message.includes('TooManyRequestsException')
        ? unavailable(error)
        : error;
    });
  return {
    async start(sql, token) {
      const input = { QueryString: sql, ClientRequestToken: token, WorkGroup: workgroup };
      const context = { QueryExecutionContext: { Database: database } };
      return (await call<{ QueryExecutionId: string }>('StartQueryExecution', { ...input, ...context }))
        .QueryExecutionId;
    },

    async state(id) {
      interface Answer {
        readonly QueryExecution: { Query: string; Status: { State: string; StateChangeReason?: string } };
      }
      const answer = await call<Answer>('GetQueryExecution', { QueryExecutionId: id }).catch((error: Error) => {
        if (!error.message.includes('InvalidRequestException')) throw error;
      });
      if (!answer) return undefined;
      const { Query: sql, Status: status } = answer.QueryExecution;
      const isRunning = status.State === 'QUEUED' || status.State === 'RUNNING';
      const state = isRunning ? 'running' : status.State === 'SUCCEEDED' ? 'succeeded' : 'failed';
      return { sql, state, reason: status.StateChangeReason };
    },

    async rows(id) {
      const lines: Array<ResultPage['ResultSet']['Rows'][number]> = [];
      for (let next: string | undefined = ''; next !== undefined; ) {
        const token = next === '' ? {} : { NextToken: next };
        const page: ResultPage = await call('GetQueryResults', { QueryExecutionId: id, MaxResults: 1_000, ...token });
        lines.push(...page.ResultSet.Rows);
        next = page.NextToken;
      }
      const [names, ...values] = lines.map(({ Data }) => Data.map((each) => each.VarCharValue));
      return values.map((row) => Object.fromEntries(row.map((value, at) => [names?.[at], value])));
    },
  };
}
