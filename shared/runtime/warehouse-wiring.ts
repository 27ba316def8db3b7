import { setTimeout as wait } from 'node:timers/promises';
import { readParquet, writeParquet } from '../store/warehouse/parquet-rows';
import { athenaQueries, warehouseFiles } from '../store/warehouse/warehouse-files';
import type { EraseFromWarehouseDeps } from '../usecases/personal-data/erase-from-warehouse';
import { systemClock } from './clock';
import { config } from './config';
import { newUlid } from './ids';

/** Erasing people from the files of the warehouse; undefined where there is none. */
export function warehouseErasingWiring(): EraseFromWarehouseDeps | undefined {
  const [address, bucket] = [config.warehouse(), config.warehouseBucket()];
  if (!address || !bucket) return undefined;
  return {
    clock: systemClock,
    wait,
    // Athena takes 32 characters at least.
    newToken: () => `erasure-${newUlid(systemClock.now())}`,
    files: warehouseFiles(bucket),
    queries: athenaQueries(bucket, address),
    parquet: { read: readParquet, write: writeParquet },
    days: address.days,
  };
}
