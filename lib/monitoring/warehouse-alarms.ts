import { Duration } from 'aws-cdk-lib';
import type { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Warehouse } from '../constructs/warehouse';
import { type AlarmBook, math } from './widgets';

/** A row is promised within this time of its event; Firehose waits for five minutes of it. */
const WAREHOUSE_LIMIT_SECONDS = 15 * 60;

/** Alarms of a stage with a warehouse: what is set aside before Firehose has it is among `relay-failures`. */
export function addWarehouseAlarms(book: AlarmBook, warehouse: Warehouse): void {
  const over = (combine: 'SUM' | 'MAX', using: Readonly<Record<string, Metric>>, label: string): MathExpression =>
    math(`${combine}([${Object.keys(using).join(', ')}])`, using, Duration.minutes(5), label);
  book.watch('warehouse-refused', {
    says: 'Firehose could not convert rows of the warehouse to Parquet. They are below errors/ in its bucket.',
    metric: over('SUM', warehouse.metrics('FailedConversion.Records', 'Sum'), 'rows refused'),
    above: 0,
    datapoints: [1, 1],
  });
  book.watch('warehouse-late', {
    says: 'rows have waited for more than 15 minutes to be written to the bucket of the warehouse.',
    metric: over('MAX', warehouse.metrics('DeliveryToS3.DataFreshness', 'Maximum'), 'seconds'),
    above: WAREHOUSE_LIMIT_SECONDS,
    datapoints: [2, 2],
  });
}
