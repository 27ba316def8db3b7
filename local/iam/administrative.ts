/** CDK's own functions, which run only during a deployment. */
export const ADMINISTRATIVE = /^Custom(?:CDKBucketDeployment|S3AutoDeleteObjects)/;
