import { setTimeout as wait } from 'node:timers/promises';
import { readParquet, writeParquet } from '../store/warehouse/parquet-rows';
import { athenaQueries, warehouseFiles } from '../store/warehouse/warehouse-files';
import type { EraseFromWarehouseDeps } from '../usecases/personal-data/erase-from-warehouse';
import { systemClock } from './clock';
import { config } from './config';
import { newToken } from './ids';

/** Erasing people from the files of the warehouse; undefined where there is none. */
export function warehouseErasingWiring(): EraseFromWarehouseDeps | undefined {
  const address = config.warehouse();
  return (
    address && {
      clock: systemClock,
      wait,
      files: warehouseFiles(address),
      queries: athenaQueries(address, newToken),
      parquet: { read: readParquet, write: writeParquet },
      days: address.days,
    }
  );
}
