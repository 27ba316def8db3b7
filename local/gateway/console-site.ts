import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { StartError } from '../start-error';
import type { Stack, StackResource, Stacks } from '../template/resolve-stack';
import type { errorCache, ProxyResponse } from './gateway-responses';

/** The path of the distribution's site on this machine: the API's `/v1` and `/docs` are next to it. */
export const CONSOLE_PATH = '/console';

/** CDK's upload of files to a bucket: carried out here by reading them, so the function behind it never runs. */
export const BUCKET_DEPLOYMENT = 'Custom::CDKBucketDeployment';

/** CDK empties a bucket before deleting it, which happens only in AWS. */
export const BUCKET_EMPTYING = 'Custom::S3AutoDeleteObjects';

export type Site = (method: string, path: string) => ProxyResponse | undefined;

interface Deployment {
  readonly SourceObjectKeys: readonly string[];
  readonly DestinationBucketKeyPrefix?: string;
  readonly SystemMetadata?: Readonly<Record<string, string>>;
  readonly Include?: readonly string[];
  readonly Exclude?: readonly string[];
}

interface HeadersPolicy {
  readonly SecurityHeadersConfig?: {
    readonly ContentSecurityPolicy?: { readonly ContentSecurityPolicy: string };
    readonly ContentTypeOptions?: object;
    readonly FrameOptions?: { readonly FrameOption: string };
    readonly ReferrerPolicy?: { readonly ReferrerPolicy: string };
    readonly StrictTransportSecurity?: {
      readonly AccessControlMaxAgeSec: number;
      readonly IncludeSubdomains?: boolean;
      readonly Preload?: boolean;
    };
  };
  readonly CustomHeadersConfig?: { readonly Items: readonly { readonly Header: string; readonly Value: string }[] };
}

/** Content types as `aws s3 sync` guesses them. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function headersOf({ SecurityHeadersConfig: security = {}, CustomHeadersConfig: custom }: HeadersPolicy) {
  const transport = security.StrictTransportSecurity;
  const lasting = transport && [
    `max-age=${transport.AccessControlMaxAgeSec}`,
    ...(transport.IncludeSubdomains ? ['includeSubDomains'] : []),
    ...(transport.Preload ? ['preload'] : []),
  ];
  const named: ReadonlyArray<readonly [string, string | undefined]> = [
    ['Content-Security-Policy', security.ContentSecurityPolicy?.ContentSecurityPolicy],
    ['X-Content-Type-Options', security.ContentTypeOptions && 'nosniff'],
    ['X-Frame-Options', security.FrameOptions?.FrameOption],
    ['Referrer-Policy', security.ReferrerPolicy?.ReferrerPolicy],
    ['Strict-Transport-Security', lasting?.join('; ')],
    ...(custom?.Items ?? []).map(({ Header, Value }) => [Header, Value] as const),
  ];
  return Object.fromEntries(named.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function* filesOf(stack: Stack, resource: StackResource): Generator<readonly [key: string, file: ProxyResponse]> {
  const deployment = resource.properties as unknown as Deployment;
  if (deployment.Include || deployment.Exclude)
    throw new StartError(`${resource.logicalId} (${resource.type}) picks files by pattern, which is not emulated.`);
  for (const objectKey of deployment.SourceObjectKeys) {
    const directory = stack.assets.get(objectKey);
    if (!directory) throw new StartError(`${resource.logicalId} (${resource.type}) has an asset that is not there.`);
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const key = [deployment.DestinationBucketKeyPrefix, relative(directory, path)].filter(Boolean).join('/');
      const headers = { 'Content-Type': CONTENT_TYPES[extname(path)] ?? 'binary/octet-stream' };
      yield [key, { status: 200, headers: { ...headers, ...deployment.SystemMetadata }, body: readFileSync(path) }];
    }
  }
}

export function distributionConfig(stacks: Stacks): Parameters<typeof errorCache>[0] {
  const [distribution] = stacks.ofType('AWS::CloudFront::Distribution');
  return (distribution?.properties.DistributionConfig ?? {}) as Parameters<typeof errorCache>[0];
}

export function consoleSite(stacks: Stacks): Site | undefined {
  const [distribution, ...others] = stacks.ofType('AWS::CloudFront::Distribution');
  if (!distribution) return undefined;
  if (others.length > 0) throw new StartError('The stack has several distributions; the local run serves one.');
  const config = distribution.properties.DistributionConfig as {
    readonly DefaultRootObject?: string;
    readonly DefaultCacheBehavior: { readonly ResponseHeadersPolicyId?: string };
  };
  const policy = stacks
    .ofType('AWS::CloudFront::ResponseHeadersPolicy')
    .find(({ ref }) => ref === config.DefaultCacheBehavior.ResponseHeadersPolicyId);
  const added = headersOf((policy?.properties.ResponseHeadersPolicyConfig ?? {}) as HeadersPolicy);
  const files = new Map(
    stacks.all.flatMap((stack) =>
      stack.resources.filter(({ type }) => type === BUCKET_DEPLOYMENT).flatMap((each) => [...filesOf(stack, each)]),
    ),
  );
  const plain = (status: number, text: string, headers = {}): ProxyResponse => ({
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...added, ...headers },
    body: Buffer.from(text),
  });

  return (method, path) => {
    if (path === CONSOLE_PATH) return plain(301, '', { Location: `${CONSOLE_PATH}/` });
    if (!path.startsWith(`${CONSOLE_PATH}/`)) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return plain(403, 'This distribution is not configured to allow it.\n');
    const file = files.get(path.slice(CONSOLE_PATH.length + 1) || (config.DefaultRootObject ?? ''));
    return file ? { ...file, headers: { ...file.headers, ...added } } : plain(404, 'File not found.\n');
  };
}
