/**
 * Stands in for `@aws-sdk/endpoint-cache` in bundles: the DynamoDB client makes one at its start, for endpoint discovery,
 * which no function of ours turns on.
 */
export class EndpointCache {}
