import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { linesOf } from '../../shared/domain/warehouse/erased-people';
import type { AccessRequest } from '../iam/roles';
import type { Stacks } from '../template/resolve-stack';
import { AwsError } from './call';
import { bucketArn } from './s3-actions';
import { keysIn } from './warehouse-bucket';

type Input = Readonly<Record<string, unknown>>;
type Cells = ReadonlyArray<string | null>;

export interface QueryResult {
  readonly names: readonly string[];
  readonly rows: readonly Cells[];
}

/** Athena as far as the service uses it. Its SQL is run by DuckDB, on the tables and views of the template. */
export interface Athena {
  answer(operation: string, input: Input): Promise<object>;
  /** The permissions of a call: Athena itself reads tables and files, and writes results, as the caller. */
  access(operation: string, input: Input): readonly AccessRequest[];
  query(sql: string): Promise<QueryResult>;
}

interface Column {
  readonly Name: string;
  readonly Type: string;
}

export interface GlueTable {
  readonly Name: string;
  readonly ViewOriginalText?: string;
  readonly Parameters?: Readonly<Record<string, string>>;
  readonly PartitionKeys?: readonly Column[];
  readonly StorageDescriptor: { readonly Location?: string; readonly Columns: readonly Column[] };
}

/** The tables and views of the template. */
export const glueTables = (stacks: Pick<Stacks, 'ofType'>): readonly GlueTable[] =>
  stacks.ofType('AWS::Glue::Table').map(({ properties }) => properties.TableInput as unknown as GlueTable);

type ArnOf = (service: string, resource: string) => string;

const SQL_TYPE: Readonly<Record<string, string>> = { string: 'VARCHAR' };
/** Functions of Athena that DuckDB has under another name, or with texts in place of bytes. */
const MACROS = [
  'split(text, at) AS string_split(text, at)',
  'to_utf8(text) AS text',
  'to_hex(text) AS upper(text)',
  'array_join(texts, by) AS array_to_string(texts, by)',
];
const MOST_ROWS = 1_000;

type Run = (definitions: readonly string[], sql: string) => Promise<QueryResult>;

/** One for the process, when it is first asked: it takes a second to open, and most runs never ask. */
let opened: Run | undefined;

/** Runs statements one after another. It does not keep the process alive. */
function duckDb(): Run {
  const worker = new Worker(join(__dirname, 'duckdb-worker.mjs'), { workerData: MACROS });
  worker.unref();
  worker.once('exit', () => {
    opened = undefined;
  });
  let last: Promise<unknown> = Promise.resolve();
  async function ask(definitions: readonly string[], sql: string): Promise<QueryResult> {
    worker.ref();
    worker.postMessage({ definitions, sql });
    // Throws what ends the worker.
    const [{ error, ...result }] = await once(worker, 'message').finally(() => worker.unref());
    if (error !== undefined) throw new Error(error);
    return result;
  }
  return (definitions, sql) => {
    const asked = last.then(() => ask(definitions, sql));
    last = asked.catch(() => undefined);
    return asked;
  };
}

/** The statement of a view, as Athena keeps it in Glue. */
const sqlOf = (view: string): string => {
  const [, packed = ''] = /Presto View: (\S+) /.exec(view) ?? [];
  return JSON.parse(Buffer.from(packed, 'base64').toString()).originalSql;
};

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The addresses that Athena looks at: below a table's location, in partitions that its projection has. */
function addressesOf({ Parameters: parameters = {}, StorageDescriptor: storage }: GlueTable): RegExp {
  const hours = parameters['projection.hour.values']?.replaceAll(',', '|');
  const folder = parameters['storage.location.template']
    ?.replace(/\$\{dt\}/, '\\d{4}-\\d\\d-\\d\\d')
    .replace(/\$\{hour\}/, `(${hours})`);
  return new RegExp(`^${folder ?? storage.Location}[^/]+$`);
}

export function athena(stacks: Pick<Stacks, 'ofType'>, folder: string, arn: ArnOf = () => ''): Athena {
  const tables = glueTables(stacks);
  const [bucket = ''] = tables.flatMap(({ StorageDescriptor: { Location } }) => Location?.split('/')[2] ?? []);
  const executions = new Map<string, { readonly sql: string; readonly result?: QueryResult | Error }>();

  /** The statement that makes a table or view what Glue says it is, from the files that are there now. */
  function definition(table: GlueTable, keys: readonly string[]): string {
    const { Name, ViewOriginalText: view, PartitionKeys: partitions = [], StorageDescriptor: storage } = table;
    if (view !== undefined) return `CREATE OR REPLACE VIEW ${Name} AS ${sqlOf(view)}`;
    const addresses = addressesOf(table);
    const own = keys.filter((key) => addresses.test(`s3://${bucket}/${key}`)).map((key) => join(folder, key));
    const columns = [...storage.Columns, ...partitions];
    const typed = (value: (name: string) => string) =>
      columns.map(({ Name: name, Type }) => `CAST(${value(name)} AS ${SQL_TYPE[Type] ?? Type}) AS ${name}`).join(', ');
    if (own.length === 0)
      return `CREATE OR REPLACE VIEW ${Name} AS SELECT ${typed(() => 'NULL')}, '' AS "$path" WHERE false`;
    if (partitions.length === 0) {
      const rows = own.flatMap((path) => linesOf(readFileSync(path)) as Record<string, string>[]);
      const values = rows.map((row) => `(${columns.map(({ Name: name }) => text(row[name] ?? '')).join(', ')})`);
      const named = columns.map(({ Name: name }) => name).join(', ');
      return `CREATE OR REPLACE VIEW ${Name} AS SELECT ${typed((name) => name)} FROM (VALUES ${values}) AS t(${named})`;
    }
    const path = `${text(`s3://${bucket}/`)} || substr(filename, ${folder.length + 2})`;
    const options = 'hive_partitioning = true, hive_types_autocast = false, union_by_name = true, filename = true';
    // By a pattern: DuckDB's WebAssembly fails at a statement that names more than some 400 files.
    const all = text(join(folder, Name.replace('raw_', ''), '*/*/*.parquet'));
    return `CREATE OR REPLACE VIEW ${Name} AS SELECT * EXCLUDE (filename), ${path} AS "$path"
      FROM parquet_scan(${all}, ${options}) WHERE regexp_matches(${path}, ${text(addresses.source)})`;
  }

  const namedIn = (sql: string): readonly GlueTable[] =>
    tables.filter(({ Name }) => new RegExp(`\\b${Name}\\b`).test(sql));

  /** The tables that a statement reads: DuckDB opens every file of a table to define it. Views last, as they read others. */
  const readBy = (sql: string): readonly GlueTable[] => {
    const named = namedIn(sql);
    const below = named.flatMap(({ ViewOriginalText: view }) => (view === undefined ? [] : readBy(sqlOf(view))));
    return [...new Set([...below, ...named])];
  };

  async function query(sql: string): Promise<QueryResult> {
    opened ??= duckDb();
    const keys = keysIn(folder);
    return opened(
      readBy(sql).map((table) => definition(table, keys)),
      sql,
    );
  }

  const page = ({ names, rows }: QueryResult, from: number) => {
    const [lines, next] = [[names, ...rows], from + MOST_ROWS];
    const cells = (row: Cells) => ({ Data: row.map((value) => (value === null ? {} : { VarCharValue: value })) });
    const ResultSet = { Rows: lines.slice(from, next).map(cells) };
    return next < lines.length ? { ResultSet, NextToken: String(next) } : { ResultSet };
  };

  function access(operation: string, input: Input): AccessRequest[] {
    const [workgroup] = stacks.ofType('AWS::Athena::WorkGroup');
    const own = { action: `athena:${operation}`, resource: arn('athena', `workgroup/${workgroup?.ref}`) };
    const files = bucketArn(bucket);
    const result = `${files}/query-results/${randomUUID()}.csv`;
    if (operation === 'GetQueryResults') return [own, { action: 's3:GetObject', resource: result }];
    if (operation !== 'StartQueryExecution') return [own];
    const { Database: database = '' } = (input.QueryExecutionContext ?? {}) as { readonly Database?: string };
    const asked = namedIn(String(input.QueryString)).map(({ Name }) => Name);
    const parts = ['catalog', `database/${database}`, ...asked.map((name) => `table/${database}/${name}`)];
    const schemas = parts.map((part) => arn('glue', part));
    const needed = {
      ...{ 'glue:GetTable': schemas, 'glue:GetPartitions': schemas },
      ...{ 's3:GetBucketLocation': [files], 's3:ListBucket': [files] },
      's3:GetObject': asked.map((name) => `${files}/${name.replace('raw_', '')}/file`),
      ...{ 's3:PutObject': [result], 's3:AbortMultipartUpload': [result] },
    };
    return [own, ...Object.entries(needed).flatMap(([action, all]) => all.map((resource) => ({ action, resource })))];
  }

  return {
    query,
    access,
    async answer(operation, input) {
      if (operation === 'StartQueryExecution') {
        const [id, sql] = [randomUUID(), String(input.QueryString)];
        executions.set(id, { sql });
        const ended = query(sql).catch((error: Error) => error);
        void ended.then((result) => executions.set(id, { sql, result }));
        return { QueryExecutionId: id };
      }
      const found = executions.get(String(input.QueryExecutionId));
      if (found === undefined)
        throw new AwsError('InvalidRequestException', `QueryExecution ${String(input.QueryExecutionId)} was not found`);
      const { sql, result } = found;
      const hasFailed = result instanceof Error;
      if (operation === 'GetQueryExecution') {
        const State = result === undefined ? 'RUNNING' : hasFailed ? 'FAILED' : 'SUCCEEDED';
        const Status = { State, ...(hasFailed ? { StateChangeReason: result.message } : {}) };
        return { QueryExecution: { QueryExecutionId: input.QueryExecutionId, Query: sql, Status } };
      }
      if (operation !== 'GetQueryResults' || hasFailed || result === undefined)
        throw new AwsError('InvalidRequestException', `The local run does not answer athena:${operation} here.`);
      return page(result, Number(input.NextToken ?? 0));
    },
  };
}
