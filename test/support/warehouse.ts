import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Warehouse } from '../../lib/constructs/warehouse';
import { type Athena, athena } from '../../local/aws/athena';
import { type Firehose, firehose } from '../../local/aws/firehose';
import { warehouseBucket } from '../../local/aws/warehouse-bucket';
import { loadAssembly } from '../../local/template/load-assembly';
import { resolveStacks, type Stacks } from '../../local/template/resolve-stack';
import type { WarehouseFiles, WarehouseRow } from '../../shared/domain/warehouse/warehouse-tables';
import { warehouseStreams } from '../../shared/queue/warehouse-streams';
import { type ObjectStore, s3ObjectStore } from '../../shared/store/sdk/object-store';
import { readParquet, writeParquet } from '../../shared/store/warehouse/parquet-rows';
import { athenaQueries, warehouseFiles } from '../../shared/store/warehouse/warehouse-files';
import type { EraseFromWarehouseDeps } from '../../shared/usecases/personal-data/erase-from-warehouse';

export const NOW = Date.parse('2026-11-18T09:30:00Z');

/** A response that replaces Firehose's own, if any. */
export type Answer = (input: {
  readonly Records: readonly object[];
}) => { readonly status: number; readonly body: object } | undefined;

export interface WarehouseWorld {
  put(rows: readonly WarehouseRow[]): Promise<void>;
  readonly local: Firehose;
  readonly folder: string;
  readonly calls: number[];
  readonly query: Athena['query'];
  readonly files: WarehouseFiles;
  readonly objects: ObjectStore;
  erasing(nowMs: number): EraseFromWarehouseDeps;
}

let synthesized: Stacks | undefined;

/** The warehouse of the template, by itself. */
function warehouseStacks(): Stacks {
  if (synthesized) return synthesized;
  const outdir = mkdtempSync(join(tmpdir(), 'warehouse-assembly-'));
  const app = new App({ outdir });
  const stack = new Stack(app, 'Stack', { env: { account: '111111111111', region: 'eu-west-1' } });
  new Warehouse(stack, 'Warehouse', { stage: 'sandbox', days: 730, users: 'pseudonym' });
  app.synth();
  synthesized = resolveStacks(loadAssembly(outdir, 'Stack'), 'http://127.0.0.1');
  rmSync(outdir, { recursive: true });
  return synthesized;
}

/** Firehose, S3 and Athena on this machine, whose answers a test may replace. */
export async function withWarehouse(answer: Answer, run: (world: WarehouseWorld) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-'));
  const stacks = warehouseStacks();
  const local = firehose(stacks, folder, () => NOW);
  const [asked, bucket] = [athena(stacks, folder), warehouseBucket(folder)];
  const calls: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = '', url = '', headers, rawHeaders } = request;
    const [, service] = /\/([a-z0-9]+)\/aws4_request/.exec(headers.authorization ?? '') ?? [];
    if (service === 's3') {
      const given = bucket({ method, url, headers, rawHeaders, body });
      response.writeHead(given.status, { connection: 'close' }).end(given.body);
      return;
    }
    const input = JSON.parse(body.toString());
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    if (service === 'firehose') calls.push(input.Records.length);
    const own = async () => ({
      status: 200,
      body: service === 'athena' ? await asked.answer(operation, input) : local.answer(operation, input),
    });
    const said = (service === 'firehose' && answer(input)) || (await own());
    response.writeHead(said.status, { connection: 'close' }).end(JSON.stringify(said.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const aws = { endpoint, credentials: { accessKeyId: 'relay', secretAccessKey: 'secret' }, region: 'eu-west-1' };
  const streams = Object.fromEntries(
    stacks.ofType('AWS::KinesisFirehose::DeliveryStream').map(({ ref }) => [ref.split('-').at(-1), ref]),
  );
  const address = {
    bucket: 'files',
    database: 'fraud_screening_sandbox',
    workgroup: 'fraud-screening-sandbox',
    days: 730,
  };
  const [files, objects] = [warehouseFiles({ ...aws, ...address }), s3ObjectStore({ ...aws, ...address })];
  let tokens = 0;
  try {
    await run({
      ...warehouseStreams(aws, streams as never),
      ...{ local, folder, calls, files, objects, query: asked.query },
      erasing: (nowMs) => ({
        clock: { now: () => nowMs },
        wait: async () => undefined,
        files,
        queries: athenaQueries({ ...aws, ...address }, () => `token-${++tokens}`),
        parquet: { read: readParquet, write: writeParquet },
        days: address.days,
      }),
    });
  } finally {
    local.stop();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
}
