import fc from 'fast-check';
import { idempotencyClaim } from '../../shared/domain/idempotency';

const hash = (body: unknown): string => idempotencyClaim('POST', '/v1/x', 'k', body).body_hash;

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, shuffled(member)]),
  );
}

describe('the claim of an Idempotency-Key', () => {
  it('does not mind the order of members', () => {
    fc.assert(fc.property(fc.json(), (text) => hash(JSON.parse(text)) === hash(shuffled(JSON.parse(text)))));
  });

  it('minds any other difference', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [x, y] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
        fc.pre(JSON.stringify(shuffled(x)) !== JSON.stringify(y) && JSON.stringify(x) !== JSON.stringify(y));
        fc.pre(!Object.is(x, y));
        try {
          expect(x).not.toEqual(y);
        } catch {
          return true;
        }
        return hash(x) !== hash(y);
      }),
    );
  });

  it('is another claim on another path, method or key', () => {
    const scopes = [
      idempotencyClaim('POST', '/v1/x', 'k', {}),
      idempotencyClaim('POST', '/v1/y', 'k', {}),
      idempotencyClaim('PUT', '/v1/x', 'k', {}),
      idempotencyClaim('POST', '/v1/x', 'l', {}),
    ].map(({ scope }) => scope);
    expect(new Set(scopes).size).toBe(4);
  });
});
