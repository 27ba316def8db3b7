import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
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
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { CONSOLE_PAGE, type ConsoleSignIn } from '../bundling/bundle-console';
import type { SignInOptions } from '../sign-in-options';
import { ConsoleUpload } from './console-upload';

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

/** What the page tells its script about signing in: nothing that is not public. */
function consoleSignIn(stage: Stage, { issuer, clientId, audience, scope }: SignInOptions): ConsoleSignIn {
  return { stage, issuer, clientId, scope, ...(audience === clientId ? {} : { audience }) };
}

/** The analysts' page: static files in a private bucket behind CloudFront, with `/v1` on the same origin. */
export class ReviewConsole extends Construct {
  readonly url: string;
  /** What a custom domain must point to. */
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
            // CloudFront's own certificate has a policy of its own.
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
      // CloudFront would cache an error for 10 s and serve it to every account, whatever the response says about caching.
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

  /** What an operator needs to know about it. */
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
