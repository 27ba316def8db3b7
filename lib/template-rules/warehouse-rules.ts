import { ruleFor, type TemplateRule, type Value } from './synthesized-app';

export const warehouseRules: readonly TemplateRule[] = [
  // By its rules for conversion to Parquet, and for prefixes with expressions.
  ruleFor(
    'firehose-conversion',
    'https://docs.aws.amazon.com/firehose/latest/dev/enable-record-format-conversion.html',
    'AWS::KinesisFirehose::DeliveryStream',
    ({ Properties: { ExtendedS3DestinationConfiguration: s3 = {} } }) => {
      const isConverting = s3.DataFormatConversionConfiguration?.Enabled === true;
      if (isConverting && (s3.CompressionFormat ?? 'UNCOMPRESSED') !== 'UNCOMPRESSED')
        return 'The stream compresses what Parquet compresses.';
      if (isConverting && (s3.BufferingHints?.SizeInMBs ?? 128) < 64) return 'The stream buffers less than 64 MiB.';
      const hasErrors = s3.ErrorOutputPrefix?.includes?.('!{firehose:error-output-type}');
      return (
        s3.Prefix?.includes?.('!{') &&
        !hasErrors &&
        'The stream has a prefix with expressions and no prefix for errors.'
      );
    },
  ),
  // Athena finds nothing in a partition that projection does not know.
  ruleFor(
    'partition-projection',
    'https://docs.aws.amazon.com/athena/latest/ug/partition-projection-setting-up.html',
    'AWS::Glue::Table',
    ({ Properties: { TableInput: table } }) => {
      const parameters: Value = table.Parameters ?? {};
      if (parameters['projection.enabled'] !== 'true') return undefined;
      const template = JSON.stringify(parameters['storage.location.template'] ?? '');
      const unknown = (table.PartitionKeys as ReadonlyArray<{ readonly Name: string }>).find(
        ({ Name }) => !parameters[`projection.${Name}.type`] || !template.includes(`\${${Name}}`),
      );
      return unknown && `Projection does not say how ${unknown.Name} is found.`;
    },
  ),
];
