import { DefaultStackSynthesizer, Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { bundleConsole, CONSOLE_PAGE, type ConsoleSignIn } from '../bundling/bundle-console';
import type { SignInOptions } from '../sign-in-options';

const READS_AND_WRITES = 'The grants that CDK makes for its upload: the assets it reads, and one bucket that it fills.';
const RUNS_IN_DEPLOYMENTS = 'Runs only within a deployment, which waits for it and shows its failure.';
const KEPT_BY_CDK = "CDK's own function: its runtime moves with the version of aws-cdk-lib.";

export interface ConsoleUploadProps {
  readonly bucket: IBucket;
  /** How people sign in, for the page; undefined for API keys only. */
  readonly page: ConsoleSignIn | undefined;
}

/** Uploads the built files to the bucket: first the assets, which are kept forever, then the page that refers to them. */
export class ConsoleUpload extends Construct {
  constructor(scope: Construct, id: string, { bucket, page: signIn }: ConsoleUploadProps) {
    super(scope, id);
    const { assetsDirectory, pageDirectory } = bundleConsole(signIn);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Old assets stay: a page that was loaded a moment ago may still request them.
    const common = { destinationBucket: bucket, logGroup, prune: false };
    const assets = new BucketDeployment(this, 'Assets', {
      ...common,
      sources: [Source.asset(assetsDirectory)],
      destinationKeyPrefix: 'assets',
      // Their names change with their contents.
      cacheControl: [CacheControl.setPublic(), CacheControl.maxAge(Duration.days(365)), CacheControl.immutable()],
    });
    const page = new BucketDeployment(this, 'Page', {
      ...common,
      sources: [Source.asset(pageDirectory)],
      cacheControl: [CacheControl.noCache()],
    });
    page.node.addDependency(assets);
    this.acknowledge(bucket);
  }

  /** CDK creates one function per stack for all uploads, next to us in the tree. */
  private acknowledge(bucket: IBucket): void {
    const stack = Stack.of(this);
    const uploader = stack.node.children.find(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'));
    if (!uploader) throw new Error('CDK no longer makes its upload function where it did');
    const bucketId = stack.getLogicalId(bucket.node.defaultChild as Parameters<typeof stack.getLogicalId>[0]);
    const reasons: ReadonlyArray<readonly [string, string]> = [
      [
        'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
        'The policy that AWS makes for writing a log, on a function that is not ours.',
      ],
      ...['GetObject*', 'GetBucket*', 'List*', 'DeleteObject*', 'Abort*'].map(
        (action) => [`AwsSolutions-IAM5[Action::s3:${action}]`, READS_AND_WRITES] as const,
      ),
      [`AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${assetsBucket(stack)}/*]`, READS_AND_WRITES],
      [`AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/*]`, READS_AND_WRITES],
      ['AwsSolutions-L1', KEPT_BY_CDK],
      ['Serverless-LambdaLatestVersion', KEPT_BY_CDK],
      ['Serverless-LambdaDLQ', RUNS_IN_DEPLOYMENTS],
      ['Serverless-LambdaTracing', RUNS_IN_DEPLOYMENTS],
    ];
    for (const [id, reason] of reasons) Validations.of(uploader).acknowledge({ id, reason });
    acknowledgeEmptying(stack);
  }
}

function acknowledgeEmptying(stack: Stack): void {
  const provider = stack.node.children.find(({ node }) => node.id.startsWith('Custom::S3AutoDeleteObjects'));
  if (!provider) throw new Error('CDK no longer makes its emptying function where it did');
  const reasons: ReadonlyArray<readonly [string, string]> = [
    ['AwsSolutions-L1', KEPT_BY_CDK],
    ['Serverless-LambdaLatestVersion', KEPT_BY_CDK],
    ['Serverless-LambdaDLQ', RUNS_IN_DEPLOYMENTS],
    ['Serverless-LambdaTracing', RUNS_IN_DEPLOYMENTS],
  ];
  for (const [id, reason] of reasons) Validations.of(provider).acknowledge({ id, reason });
}

/** The `cdk bootstrap` bucket in the rule's notation: with this deployment's qualifier, not CDK's default. */
function assetsBucket({ synthesizer, account, region }: Stack): string {
  const written = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  const qualifier = synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER;
  return `cdk-${qualifier}-assets-${written(account, 'AccountId')}-${written(region, 'Region')}`;
}

export interface ReviewConsoleProps {
  readonly stage: Stage;
  readonly api: RestApi;
  /** A custom domain; its certificate must be in us-east-1 for CloudFront. @default the name that CloudFront assigns */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** @default people sign in with API keys */
  readonly signIn?: SignInOptions;
}

/** Every status that CloudFront caches and that can be configured not to be cached. */
const CACHED_ERRORS = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * Only our own files and API, and the provider that people sign in with; no inline code, no eval, no frames, no forms
 * that leave the page.
 */
const contentSecurityPolicy = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** The sign-in settings for the page's script: all of them are public. */
function consoleSignIn(stage: Stage, { issuer, clientId, audience, scope }: SignInOptions): ConsoleSignIn {
  return { stage, issuer, clientId, scope, ...(audience === clientId ? {} : { audience }) };
}

/** The analysts' page: static files in a private bucket behind CloudFront, with `/v1` on the same origin. */
export class ReviewConsole extends Construct {
  readonly url: string;
  /** The target of a custom domain's DNS record. */
  private readonly target: string | undefined;

  constructor(scope: Construct, id: string, { stage, api, domain, signIn }: ReviewConsoleProps) {
    super(scope, id);
    const bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // Rewritten by every deployment. A CDK function empties it when the stack is deleted: the upload itself does not
      // clean up (aws-cdk #33397), and CloudFormation does not delete a bucket that is not empty.
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    }) as IBucket;
    const distribution = new Distribution(this, 'Distribution', {
      comment: `${Stack.of(this).stackName}: review console`,
      defaultRootObject: CONSOLE_PAGE,
      priceClass: PriceClass.PRICE_CLASS_100,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(domain
        ? {
            // CloudFront's own certificate has its own policy.
            minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
            domainNames: [domain.name],
            certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
          }
        : {}),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket, { originAccessControl: this.originAccess() }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: this.headers(contentSecurityPolicy(signIn?.origins ?? [])),
        compress: true,
      },
      // CloudFront would cache an error for 10 s and serve it to every account, regardless of its cache headers.
      errorResponses: CACHED_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      additionalBehaviors: {
        // One origin for page and API: no CORS, and a CSP that names no other origin.
        '/v1/*': {
          origin: new RestApiOrigin(api),
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
          allowedMethods: AllowedMethods.ALLOW_ALL,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          compress: true,
        },
      },
    });
    new ConsoleUpload(this, 'Upload', { bucket, page: signIn && consoleSignIn(stage, signIn) });
    this.url = `https://${domain?.name ?? distribution.distributionDomainName}/`;
    this.target = domain ? distribution.distributionDomainName : undefined;
    this.acknowledge(bucket, distribution, domain !== undefined);
  }

  outputs(): Readonly<Record<string, string>> {
    return { ConsoleUrl: this.url, ...(this.target ? { ConsoleDomainTarget: this.target } : {}) };
  }

  /** A name that is unique across the account's regions: CloudFront keeps one list of names for all of them. */
  private globalName(what: string): string {
    const { stackName, region } = Stack.of(this);
    return `${stackName}-${region}-${what}`;
  }

  private originAccess(): S3OriginAccessControl {
    return new S3OriginAccessControl(this, 'Access', { originAccessControlName: this.globalName('console') });
  }

  private headers(contentSecurityPolicy: string): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: this.globalName('console'),
      comment: 'Fraud screening: review console',
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(730), includeSubdomains: true, override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          { header: 'Cross-Origin-Opener-Policy', value: 'same-origin', override: true },
          { header: 'Cross-Origin-Resource-Policy', value: 'same-origin', override: true },
          { header: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=()', override: true },
          { header: 'X-Robots-Tag', value: 'noindex', override: true },
        ],
      },
    });
  }

  private acknowledge(bucket: IBucket, distribution: Distribution, hasDomain: boolean): void {
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Holds the public files of a page; what matters, the calls of the API, has its own access log.',
    });
    const reasons: ReadonlyArray<readonly [string, string]> = [
      ['AwsSolutions-CFR1', 'Analysts work from anywhere: whom to shut out is for the platform to decide.'],
      [
        'AwsSolutions-CFR2',
        'WAF costs $5 per month when idle and scales with traffic: left to the platform to attach.',
      ],
      ['AwsSolutions-CFR3', 'An access log of static files would hold little but the addresses of analysts.'],
      ...(hasDomain
        ? []
        : [
            [
              'AwsSolutions-CFR4',
              "CloudFront's own name allows no other certificate; with a domain of your own it is TLS 1.2 and up.",
            ] as const,
          ]),
    ];
    for (const [id, reason] of reasons) Validations.of(distribution).acknowledge({ id, reason });
  }
}
