import { makeAuthority, makeCertificate } from '../../../local/listen/certificates';
import type { SecretEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint';
import { sendDelivery } from '../../../shared/outbound/send-delivery';
import { signatureHeaders, verifySignature } from '../../../shared/outbound/sign';
import { bodyOf, startTlsReceiver } from '../../support/tls/tls-receiver';
import { accepts, atTime, VENDORS } from './vendor-verifiers';

const OLD = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const STRANGE = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const T = 1_760_000_000;
const BODY = Buffer.from('{"id":"msg_1"}');
const signed = (previousSecret?: string) => ({
  ...signatureHeaders({ secret: NEW, previousSecret, messageId: 'msg_1', body: BODY, timestampSeconds: T }),
});

describe('a delivery during a rotation', () => {
  it.each(Object.keys(VENDORS))('%s accepts it with the old secret and with the new one, with no other', (vendor) => {
    const accepted = (secret: string, headers: Record<string, string>): boolean =>
      atTime(T, () => accepts(vendor, { secret, headers, body: BODY }));
    expect([OLD, NEW, STRANGE].map((secret) => accepted(secret, signed(OLD)))).toEqual([true, true, false]);
    expect([OLD, NEW, STRANGE].map((secret) => accepted(secret, signed()))).toEqual([false, true, false]);
  });

  it('is accepted by our own verifier alike', () => {
    const kind = (secret: string, headers: Record<string, string>) =>
      verifySignature({ secrets: [secret], headers, body: BODY, nowSeconds: T }).kind;
    expect([OLD, NEW, STRANGE].map((secret) => kind(secret, signed(OLD)))).toEqual(['verified', 'verified', 'refused']);
  });

  it('carries the old signature until the hour that was set, and not a millisecond longer', async () => {
    const authority = await makeAuthority();
    const certificate = await makeCertificate({ names: ['localhost'], authority });
    const received: Array<Record<string, string>> = [];
    const receiver = await startTlsReceiver(certificate, async (request, response) => {
      received.push(request.headers as Record<string, string>);
      await bodyOf(request);
      response.end();
    });
    const endpoint: SecretEndpoint = {
      webhook_id: 'wh_1',
      url: `https://localhost:${receiver.port}/`,
      events: ['case.created'],
      label: null,
      status: 'enabled',
      created_at: '2026-11-14T00:00:00.000Z',
      signing_secret: NEW,
      previous: { secret: OLD, untilMs: T * 1000 + 500 },
    };
    const message = {
      message_id: 'msg_1',
      account_id: 'acc',
      event_type: 'case.created' as const,
      created_at: '',
      body: BODY,
    };
    const hatch = { allowCidrs: ['127.0.0.0/8', '::1/128'], extraCa: authority.cert };
    for (const nowMs of [T * 1000 + 499, T * 1000 + 500]) {
      const send = sendDelivery({ now: () => nowMs }, () => performance.now(), hatch);
      const outcome = await send({ endpoint, message, deliveryId: 'dlv_1', attempt: 1 });
      expect(outcome.kind).toBe('delivered');
    }
    await receiver.close();
    const opened = received.map((headers) =>
      [OLD, NEW].map((secret) => verifySignature({ secrets: [secret], headers, body: BODY, nowSeconds: T }).kind),
    );
    expect(opened).toEqual([
      ['verified', 'verified'],
      ['refused', 'verified'],
    ]);
  });
});
