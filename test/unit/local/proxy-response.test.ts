import { proxyResponse } from '../../../local/gateway/gateway-responses';

const read = (answer: unknown, wantsBinary = false) => proxyResponse(JSON.stringify(answer), wantsBinary);

describe('a Lambda proxy answer', () => {
  it('becomes status, headers and body', () => {
    const answer = read({
      statusCode: 201,
      headers: { 'content-type': 'text/plain', 'X-N': 7 },
      multiValueHeaders: { 'Set-Cookie': ['a', 'b'] },
      body: 'é',
    });
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'content-type': 'text/plain', 'X-N': '7', 'Set-Cookie': ['a', 'b'] },
    });
    expect(answer?.body.toString()).toBe('é');
    expect(answer?.headers).not.toHaveProperty('Content-Type');
  });

  it('is JSON by default, and empty without a body', () => {
    expect(read({ statusCode: '204' })).toMatchObject({
      status: 204,
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.alloc(0),
    });
  });

  it('is decoded only where the API speaks binary', () => {
    const answer = { statusCode: 200, body: Buffer.from('bytes').toString('base64'), isBase64Encoded: true };
    expect(read(answer, true)?.body.toString()).toBe('bytes');
    expect(read(answer, false)?.body.toString()).toBe(answer.body);
  });

  it.each([
    null,
    'text',
    [],
    {},
    { statusCode: 'abc' },
    { statusCode: 99 },
    { statusCode: 200, body: { a: 1 } },
    { statusCode: 200, extra: true },
  ])('is malformed: %j', (answer) => {
    expect(read(answer)).toBeUndefined();
  });
});
