import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linesFrom, linesOf } from '../../shared/domain/warehouse/erased-people';
import { writeParquet } from '../../shared/store/warehouse/parquet-rows';
import type { Stacks } from '../template/resolve-stack';
import { type GlueTable, glueTables } from './athena';
import { AwsError } from './call';

type Input = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

/** The limits of `PutRecordBatch` that a caller can run into. */
const MOST_RECORDS = 500;
const MOST_BYTES = 4 * 1024 * 1024;
/** On this machine nobody waits five minutes to see a row. */
const BUFFERED_MS = 1_000;

interface Stream {
  readonly prefix: string;
  readonly errors: string;
  readonly columns: GlueTable['StorageDescriptor']['Columns'];
  rows: Row[];
}

/** Data Firehose as far as the service uses it. */
export interface Firehose {
  answer(operation: string, input: Input): object;
  /** Writes what is buffered. */
  flush(): void;
  stop(): void;
}

/** A value as its column holds it; undefined if it cannot. */
function typed(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return null;
  if (type === 'string') return typeof value === 'string' ? value : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type === 'timestamp') {
    const time = new Date(`${String(value).replace(' ', 'T')}Z`);
    return Number.isNaN(time.getTime()) ? undefined : time;
  }
  if (typeof value !== 'number') return undefined;
  return type === 'double' ? value : Number.isInteger(value) ? BigInt(value) : undefined;
}

/** The prefix of a file: `!{timestamp:…}` is the time at which it is written, in UTC. */
function prefixAt(prefix: string, at: Date): string {
  const [yyyy = '', MM = '', dd = '', HH = ''] = at.toISOString().split(/[-T:]/);
  const timed = prefix.replace(/!\{timestamp:([^}]+)\}/g, (_, pattern: string) =>
    pattern.replace('yyyy', yyyy).replace('MM', MM).replace('dd', dd).replace('HH', HH),
  );
  return timed.replace('!{firehose:error-output-type}', 'format-conversion-failed');
}

/**
 * Takes records and writes them as Parquet files, by the prefixes of the streams and the columns of the tables in the template.
 * A record that its table cannot hold goes below the prefix for errors, unchanged.
 */
export function firehose(stacks: Pick<Stacks, 'ofType'>, folder: string, now: () => number): Firehose {
  const tables = new Map(glueTables(stacks).map((table) => [table.Name, table.StorageDescriptor.Columns]));
  const streams = new Map(
    stacks.ofType('AWS::KinesisFirehose::DeliveryStream').map(({ ref, properties }): [string, Stream] => {
      // biome-ignore lint/suspicious/noExplicitAny: a property is whatever CloudFormation says it is.
      const s3 = properties.ExtendedS3DestinationConfiguration as any;
      const { TableName } = s3.DataFormatConversionConfiguration.SchemaConfiguration;
      return [ref, { prefix: s3.Prefix, errors: s3.ErrorOutputPrefix, columns: tables.get(TableName) ?? [], rows: [] }];
    }),
  );
  let files = 0;
  const timer = setInterval(flush, BUFFERED_MS).unref();

  function write(path: string, content: Uint8Array): void {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    // Readers never see half a file.
    writeFileSync(`${target}.part`, content);
    renameSync(`${target}.part`, target);
  }

  function flush(): void {
    const at = new Date(now());
    for (const [name, stream] of streams) {
      if (stream.rows.length === 0) continue;
      const { rows, columns } = stream;
      stream.rows = [];
      const file = `${name}-${at.getTime()}-${process.pid}-${++files}`;
      const converted = rows.map((row) =>
        Object.fromEntries(columns.map(({ Name, Type }) => [Name, typed(row[Name], Type)])),
      );
      const fits = converted.map((values) => !Object.values(values).includes(undefined));
      const [good, bad] = [converted.filter((_, at) => fits[at]), rows.filter((_, at) => !fits[at])];
      if (bad.length > 0) write(`${prefixAt(stream.errors, at)}${file}.json`, linesFrom(bad.map(errorOf)));
      const types = columns.map(({ Name, Type }) => [Name, Type] as const);
      if (good.length > 0) write(`${prefixAt(stream.prefix, at)}${file}.parquet`, writeParquet(types, good));
    }
  }

  return {
    answer(operation, { DeliveryStreamName: name, Records: records }) {
      if (operation !== 'PutRecordBatch')
        throw new AwsError('UnknownOperationException', `The local run does not emulate firehose:${operation}.`);
      const stream = streams.get(String(name));
      if (stream === undefined)
        throw new AwsError('ResourceNotFoundException', `Firehose ${String(name)} not found under this account.`);
      if (!Array.isArray(records) || records.length === 0 || records.length > MOST_RECORDS)
        throw new AwsError('InvalidArgumentException', `Records must have 1 to ${MOST_RECORDS} members.`);
      const blobs = (records as ReadonlyArray<{ readonly Data?: string }>).map(({ Data = '' }) =>
        Buffer.from(Data, 'base64'),
      );
      if (blobs.reduce((sum, { length }) => sum + length, 0) > MOST_BYTES)
        throw new AwsError('InvalidArgumentException', 'Records size exceeds 4 MB limit');
      for (const blob of blobs) stream.rows.push(...(linesOf(blob) as Row[]));
      const RequestResponses = blobs.map((_, at) => ({ RecordId: `${now()}-${at}` }));
      return { FailedPutCount: 0, Encrypted: true, RequestResponses };
    },
    flush,
    stop() {
      clearInterval(timer);
      flush();
    },
  };
}

/** As Firehose keeps a record that it could not convert. */
const errorOf = (row: Row): object => ({
  ...{ attemptsMade: 1, errorCode: 'DataFormatConversion.InvalidSchema' },
  rawData: Buffer.from(JSON.stringify(row)).toString('base64'),
});
