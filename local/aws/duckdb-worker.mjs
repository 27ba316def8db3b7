// DuckDB in a separate thread: jest cannot load it, and a query would hold up the local run.
// 1.28.0 is the last version of the package that reads Parquet without a download at run time.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { workerData as macros, parentPort } from 'node:worker_threads';

const require = createRequire(import.meta.url);

async function open() {
  const { createDuckDB, NODE_RUNTIME, VoidLogger } = require('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs');
  const folder = dirname(require.resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'));
  const module = (kind) => ({ mainModule: join(folder, `duckdb-${kind}.wasm`) });
  const database = await createDuckDB({ mvp: module('mvp'), eh: module('eh') }, new VoidLogger(), NODE_RUNTIME);
  await database.instantiate(() => undefined);
  database.open({});
  const connection = database.connect();
  for (const macro of macros) connection.query(`CREATE MACRO ${macro}`);
  return { database, connection };
}

const opened = open();

// Listening keeps the thread alive while it opens.
parentPort.on('message', async ({ definitions, sql }) => {
  try {
    const { database, connection } = await opened;
    for (const each of definitions) connection.query(each);
    const described = connection.query(`DESCRIBE (${sql}\n)`).toArray();
    const result = connection.query(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sql}\n)`).toArray();
    // It would go on to see the files as they were.
    database.dropFiles();
    const names = described.map((row) => row.toJSON().column_name);
    parentPort.postMessage({ names, rows: result.map((row) => Object.values(row.toJSON())) });
  } catch (error) {
    parentPort.postMessage({ error: error.message });
  }
});
