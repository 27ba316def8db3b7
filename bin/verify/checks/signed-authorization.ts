import { described, request } from '../api';
import { type Check, CheckSkipped, must } from '../check';
import { envelopeFault } from './errors';

/** As AWS's SDKs sign requests; API Gateway interprets such a header itself on routes without an authorizer. */
const SIGNED =
  'AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20261116/us-east-1/frauddetector/aws4_request, ' +
  'SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=' +
  '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

export const signedAuthorization: Check = {
  name: 'signed-authorization',
  proves: 'API Gateway passes an AWS4-HMAC Authorization header to an authorizer unchanged',
  needs: 'aws',
  async run({ api, authorizationProbe }) {
    const headers = { Authorization: SIGNED };
    const fault = envelopeFault(await api.call('GET', '/v1/webhooks', { headers }), 401, 'unauthorized');
    must(fault === undefined, `A request with an AWS4-HMAC Authorization header ${fault}`);
    if (!authorizationProbe) throw new CheckSkipped('the stack FraudScreening-Verify is not deployed');
    const reply = await request('GET', authorizationProbe, { headers });
    must(reply.status === 200, `The probe's authorizer was not asked: ${described(reply)}`);
    const seen = Buffer.from(String(reply.json?.seen ?? ''), 'base64').toString();
    must(seen === SIGNED, `The authorizer received another header than was sent: ${seen || 'none'}`);
    return undefined;
  },
};
