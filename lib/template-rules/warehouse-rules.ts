import type { TemplateRule, Value } from './synthesized-app';

/** Streams that Firehose refuses: by its rules for conversion to Parquet, and for prefixes with expressions. */
const conversion: TemplateRule = {
  name: 'firehose-conversion',
  source: 'https://docs.aws.amazon.com/firehose/latest/dev/enable-record-format-conversion.html',
  check: (app) =>
    app.resources
      .filter(({ Type }) => Type === 'AWS::KinesisFirehose::DeliveryStream')
      .flatMap(({ stack, id, Properties }) => {
        const s3: Value = Properties.ExtendedS3DestinationConfiguration ?? {};
        const isConverting = s3.DataFormatConversionConfiguration?.Enabled === true;
        const faults = [
          isConverting &&
            (s3.CompressionFormat ?? 'UNCOMPRESSED') !== 'UNCOMPRESSED' &&
            'compresses what Parquet compresses',
          isConverting && (s3.BufferingHints?.SizeInMBs ?? 128) < 64 && 'buffers less than 64 MiB',
          s3.Prefix?.includes?.('!{') &&
            !s3.ErrorOutputPrefix?.includes?.('!{firehose:error-output-type}') &&
            'has a prefix with expressions and no prefix for errors',
        ];
        return faults
          .filter((fault) => typeof fault === 'string')
          .map((fault) => ({ stack, id, says: `The stream ${fault}.` }));
      }),
};

/** Athena finds nothing in a partition that projection does not know. */
const projection: TemplateRule = {
  name: 'partition-projection',
  source: 'https://docs.aws.amazon.com/athena/latest/ug/partition-projection-setting-up.html',
  check: (app) =>
    app.resources
      .filter(({ Type }) => Type === 'AWS::Glue::Table')
      .flatMap(({ stack, id, Properties: { TableInput: table } }) => {
        const parameters: Value = table.Parameters ?? {};
        if (parameters['projection.enabled'] !== 'true') return [];
        const template = JSON.stringify(parameters['storage.location.template'] ?? '');
        return (table.PartitionKeys as ReadonlyArray<{ readonly Name: string }>)
          .filter(({ Name }) => !parameters[`projection.${Name}.type`] || !template.includes(`\${${Name}}`))
          .map(({ Name }) => ({ stack, id, says: `Projection does not say how ${Name} is found.` }));
      }),
};

export const warehouseRules: readonly TemplateRule[] = [conversion, projection];
