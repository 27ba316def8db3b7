import { requireUtf8 } from '../../../shared/http/fenced-body';

const refusal = expect.objectContaining({
  code: 'invalid_request',
  message: expect.stringMatching(/^body: must be UTF-8/),
});
const event = (body: string | null, isBase64Encoded = false) => ({ body, isBase64Encoded });

describe('a body', () => {
  it('that is not UTF-8 is refused, whether the gateway decoded it or not', () => {
    const bytes = Buffer.from([...Buffer.from('{"user_id":"u'), 0xff, ...Buffer.from('"}')]);
    // As API Gateway passes it on: every such byte becomes the same character, and so would the users.
    expect(() => requireUtf8(event(bytes.toString('utf8')))).toThrow(refusal);
    expect(() => requireUtf8(event(bytes.toString('base64'), true))).toThrow(refusal);
    // An unpaired surrogate in the encoding of UTF-8, and an overlong slash.
    for (const wrong of [
      [0xed, 0xa0, 0x80],
      [0xc0, 0xaf],
    ]) {
      expect(() => requireUtf8(event(Buffer.from(wrong).toString('base64'), true))).toThrow(refusal);
    }
  });

  it('in base64 is decoded', () => {
    const given = event(Buffer.from('{"user_id":"änn"}').toString('base64'), true);
    requireUtf8(given);
    expect(given).toEqual(event('{"user_id":"änn"}'));
  });

  it('is otherwise left alone', () => {
    for (const body of ['{"user_id":"änn\\ufffd"}', '', null]) {
      const given = event(body);
      requireUtf8(given);
      expect(given).toEqual(event(body));
    }
  });
});
