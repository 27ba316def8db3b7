import { historyLine, LineFault } from '../../../../training/replay/history-line';

const line = (body: object, rest: object = {}) => ({
  t: '2026-03-01T10:00:00Z',
  kind: 'transaction',
  body: { user_id: 'user-1', amount: 25, currency: 'EUR', ...body },
  ...rest,
});

describe('a line of a history', () => {
  it('knows its label seven days later, or when it says', () => {
    expect(historyLine(line({}, { label: 1 })).label_known_at_ms).toBe(Date.parse('2026-03-08T10:00:00Z'));
    const told = historyLine(line({}, { label: 1, label_t: '2026-03-02T00:00:00Z' }));
    expect(told.label_known_at_ms).toBe(Date.parse('2026-03-02T00:00:00Z'));
    // Nothing is known of what has not happened yet.
    const early = historyLine(line({}, { label: 1, label_t: '2025-01-01T00:00:00Z' }));
    expect(early.label_known_at_ms).toBe(Date.parse('2026-03-01T10:00:00Z'));
    expect(historyLine(line({}, { label: null })).label).toBeUndefined();
  });

  it('a card check for nothing is replayed as the least payment there is, not left out', () => {
    expect(historyLine(line({ amount: 0 })).subject).toMatchObject({ amount: 0.01 });
  });

  it('of another kind is an event', () => {
    const login = { t: '2026-03-01T10:00:00Z', kind: 'login', body: { user_id: 'u', outcome: 'failed' }, label: 1 };
    expect(historyLine(login)).toMatchObject({
      kind: 'login',
      split: 'train',
      subject: { subject_type: 'event', action: 'login', outcome: 'failed', user_id: 'u' },
    });
  });

  it.each([
    ['a negative amount', line({ amount: -1 }), /body\.amount/],
    ['no time', { ...line({}), t: 'yesterday' }, /t: "yesterday"/],
    ['an unknown kind', line({}, { kind: 'dance' }), /body\.event_type/],
    ['a label that is none', line({}, { label: 2 }), /label/],
    ['an unknown split', line({}, { split: 'exam' }), /split/],
    ['no object', [], /./],
  ])('%s is a fault that says so', (_what, value, message) => {
    expect(() => historyLine(value)).toThrow(LineFault);
    expect(() => historyLine(value)).toThrow(message);
  });
});
