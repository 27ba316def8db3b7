import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { unavailable } from '../../domain/errors';
import { ERASED, type ErasedMark, linesFrom } from '../../domain/warehouse/erased-people';
import type { WarehouseFiles, WarehouseQueries } from '../../domain/warehouse/warehouse-tables';
import { type BucketAddress, type ObjectStore, refusal, s3ObjectStore, s3Requests } from '../sdk/object-store';
import { jsonCalls } from '../sdk/signed-requests';

/** Where the warehouse of a stage is. */
export interface WarehouseAddress extends BucketAddress {
  readonly database: string;
  readonly workgroup: string;
  /** After this, files are deleted. */
  readonly days: number;
}

const tag = (xml: string, name: string): string => xml.split(`<${name}>`)[1]?.split('<')[0] ?? '';

export function warehouseFiles(address: BucketAddress): WarehouseFiles {
  const [send, objects] = [s3Requests(address), s3ObjectStore(address)];
  async function sent(method: 'GET' | 'DELETE', key: string, query = '') {
    const { status, body } = await send(method, key, { query });
    if (status >= 300) throw refusal(method, key, status, body);
    return body;
  }
  /** Up to a thousand files after a key. */
  async function page(prefix: string, after?: string) {
    const query = new URLSearchParams({ 'list-type': '2', prefix, ...(after && { 'start-after': after }) });
    // Encoded as S3 signs it: a space is %20.
    const xml = (await sent('GET', '', `?${query.toString().replaceAll('+', '%20')}`)).toString();
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
    read: (key) => sent('GET', key),
    write: async (key, bytes) => void (await objects.put(key, bytes)),
    remove: async (key) => void (await sent('DELETE', key)),
  };
}

/** Where an erasure hides somebody from the views, at once. */
export const erasedFile = (objects: Pick<ObjectStore, 'put'>) => ({
  hide: async (erasureId: string, marks: readonly ErasedMark[]): Promise<void> =>
    void (await objects.put(`${ERASED}/${erasureId}.json`, linesFrom(marks))),
});

interface ResultPage {
  readonly NextToken?: string;
  readonly ResultSet: {
    readonly Rows: ReadonlyArray<{ readonly Data: ReadonlyArray<{ readonly VarCharValue?: string }> }>;
  };
}

/** Athena, as far as it is asked; a start with the same token twice is one query. */
export function athenaQueries(address: WarehouseAddress, newToken: () => string): WarehouseQueries {
  const { database, workgroup, credentials = defaultProvider(), ...aws } = address;
  const send = jsonCalls({ ...aws, credentials, service: 'athena' }, 'AmazonAthena', { connectionTimeout: 2_000 });
  const call = <Answer>(operation: string, input: object): Promise<Answer> =>
    send<Answer>(operation, input).catch((error: Error & { readonly status?: number }) => {
      throw (error.status ?? 0) >= 500 || error.message.includes('TooManyRequestsException')
        ? unavailable(error)
        : error;
    });
  return {
    async start(sql) {
      const input = { QueryString: sql, ClientRequestToken: newToken(), WorkGroup: workgroup };
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
      let NextToken: string | undefined;
      do {
        const input = { QueryExecutionId: id, MaxResults: 1_000, NextToken };
        const page: ResultPage = await call('GetQueryResults', input);
        lines.push(...page.ResultSet.Rows);
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      const [names, ...values] = lines.map(({ Data }) => Data.map((each) => each.VarCharValue));
      return values.map((row) => Object.fromEntries(row.map((value, at) => [names?.[at], value])));
    },
  };
}
