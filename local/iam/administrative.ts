/** CDK's own functions, which work within a deployment only. */
export const ADMINISTRATIVE = /^Custom(?:CDKBucketDeployment|S3AutoDeleteObjects)/;
