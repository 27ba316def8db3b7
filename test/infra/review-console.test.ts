import { bundleConsole, MAX_CONSOLE_BYTES_GZIPPED } from '../../lib/bundling/bundle-console';
import { ofType, type Properties, resourcesOf } from '../support/template';

describe.each(['sandbox', 'production'])('the review console of %s', (stage) => {
  const resources = resourcesOf(`FraudScreening-${stage}`);
  const [distribution] = ofType(resources, 'AWS::CloudFront::Distribution');
  const config = distribution?.Properties.DistributionConfig;
  const originOf = (behavior: { TargetOriginId: string }) =>
    config.Origins.find(({ Id }: { Id: string }) => Id === behavior.TargetOriginId);

  it('lies in a private bucket that only its distribution may read', () => {
    const [bucket, ...others] = ofType(resources, 'AWS::S3::Bucket');
    expect(others).toEqual([]);
    expect(bucket?.Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    const [policy] = ofType(resources, 'AWS::S3::BucketPolicy');
    const statements: Properties[] = policy?.Properties.PolicyDocument.Statement ?? [];
    const [emptying, ...allowed] = statements.filter(({ Effect }) => Effect === 'Allow');
    // And CDK's function that empties it when the stack goes.
    expect(JSON.stringify(emptying.Principal)).toContain('CustomS3AutoDeleteObjects');
    expect(emptying.Action).not.toContain('s3:*');
    expect(allowed).toEqual([
      expect.objectContaining({
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
      }),
    ]);
    expect(JSON.stringify(allowed[0].Condition)).toContain(distribution?.id);
    expect(originOf(config.DefaultCacheBehavior).OriginAccessControlId).toBeDefined();
  });

  it('has the API on the same origin, uncached, with the key passed on', () => {
    const [behavior, ...others] = config.CacheBehaviors;
    expect(others).toEqual([]);
    expect(behavior).toMatchObject({
      PathPattern: '/v1/*',
      ViewerProtocolPolicy: 'https-only',
      AllowedMethods: expect.arrayContaining(['GET', 'PUT', 'POST', 'DELETE']),
      // Managed policies of CloudFront: CachingDisabled, AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
    });
    const { CustomOriginConfig, OriginPath } = originOf(behavior);
    expect(CustomOriginConfig.OriginProtocolPolicy).toBe('https-only');
    const [deployed] = ofType(resources, 'AWS::ApiGateway::Stage');
    expect(JSON.stringify(OriginPath)).toContain(deployed?.id);
  });

  it('can go with its stack: it is emptied first', () => {
    const [bucket] = ofType(resources, 'AWS::S3::Bucket');
    const [emptying] = ofType(resources, 'Custom::S3AutoDeleteObjects');
    expect(bucket?.DeletionPolicy).toBe('Delete');
    expect(emptying?.Properties.BucketName).toEqual({ Ref: bucket?.id });
  });

  it('never hands the error of one account to another: no status that CloudFront would cache is cached', () => {
    // "HTTP 4xx and 5xx status codes that CloudFront caches", of the developer guide; 416 it does not.
    const cached = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];
    expect(config.CustomErrorResponses).toEqual(cached.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })));
  });

  it('sends strict headers with every file', () => {
    const [policy] = ofType(resources, 'AWS::CloudFront::ResponseHeadersPolicy');
    expect(config.DefaultCacheBehavior).toMatchObject({
      ResponseHeadersPolicyId: { Ref: policy?.id },
      ViewerProtocolPolicy: 'redirect-to-https',
    });
    const { SecurityHeadersConfig: headers, CustomHeadersConfig: custom } =
      policy?.Properties.ResponseHeadersPolicyConfig ?? {};
    const others = Object.fromEntries(
      custom.Items.map((item: { Header: string; Value: string }) => [item.Header, item.Value]),
    );
    expect(others).toMatchObject({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
    });
    expect(headers).toMatchObject({
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY' },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
    });
    expect(headers.StrictTransportSecurity.AccessControlMaxAgeSec).toBeGreaterThanOrEqual(365 * 86_400);
    const csp: string = headers.ContentSecurityPolicy.ContentSecurityPolicy;
    expect(csp).toContain("default-src 'none'");
    expect(csp).toContain("frame-ancestors 'none'");
    expect(csp).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(csp).not.toMatch(/unsafe|https?:|\*|data:/);
  });

  it('caches assets for ever and the page never, and uploads the page last', () => {
    const uploads = ofType(resources, 'Custom::CDKBucketDeployment');
    const [assets, page] = [true, false].map((isAssets) =>
      uploads.find(({ Properties }) => 'DestinationBucketKeyPrefix' in Properties === isAssets),
    );
    expect(uploads).toHaveLength(2);
    expect(assets?.Properties.SystemMetadata['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(page?.Properties.SystemMetadata['cache-control']).toBe('no-cache');
    expect((page as { DependsOn?: string[] }).DependsOn).toContain(assets?.id);
    expect(assets?.Properties.Prune).toBe(false);
  });
});

describe('the bundle of the review console', () => {
  it('is far below the 120 KB that were promised', () => {
    expect(MAX_CONSOLE_BYTES_GZIPPED).toBeLessThanOrEqual(72_000);
    expect(bundleConsole().gzippedBytes).toBeLessThanOrEqual(MAX_CONSOLE_BYTES_GZIPPED);
  });
});
