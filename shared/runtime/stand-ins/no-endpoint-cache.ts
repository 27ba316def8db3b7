/**
 * Stands in for `@aws-sdk/endpoint-cache` in bundles: the DynamoDB client creates one on start, for endpoint discovery,
 * which none of our functions turns on.
 */
export class EndpointCache {}
