import { DEFAULT_SETTINGS, settingsFaults } from '../../../shared/domain/accounts/account';
import { EVENT_ACTIONS } from '../../../shared/domain/entities/entity-history';
import { customerExplanation } from '../../../shared/domain/screening/customer-explanation';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import { displayedAttributes } from '../../../shared/domain/screening/subjects/record-members';
import { screened } from '../../support/changes';

const DECISIONS = ['allow', 'challenge', 'review', 'block'] as const;
const review = { analyst_id: 'ana', notes: 'stolen', reviewed_at: '2026-03-01T00:00:00.000Z' };
const because = (...signals: string[]) => ({
  contributions: signals.map((signal) => ({ signal, points: 30, detail: 'First use of this device' })),
});

describe('what the person concerned may read', () => {
  it('says what was decided, by whom, and what they can do', () => {
    const blocked = screened(0, { automated_decision: 'block', ...because('amount_anomaly') });
    expect(customerExplanation(blocked)).toBe(
      'This payment was declined by an automated check. An automated check compares every payment with earlier activity; what mattered most here was the details of the payment. If you think this is wrong, contact us: a person will look at it.',
    );
    expect(customerExplanation({ ...blocked, review: { decision: 'allow', ...review } })).toBe(
      'A member of our team looked at this payment and approved it.',
    );
    const held = screened(0, { automated_decision: 'review', ...because('new_device', 'amount_anomaly', 'shared_ip') });
    expect(customerExplanation(held)).toContain('what mattered most here was recent activity.');
  });

  it('has no word of any signal, rule, list, score or person, whatever the decision was', () => {
    const hints = /device|\bip\b|address|network|velocity|score|rule|list|threshold|model|ana|stolen|limit|times|hour/i;
    const names = SIGNALS.map(({ name }) => name);
    for (const automated_decision of DECISIONS) {
      for (const event_type of [undefined, ...EVENT_ACTIONS]) {
        const subject = event_type === undefined ? {} : { subject_type: 'event' as const, event_type };
        const record = screened(0, { automated_decision, ...subject, ...because(...names, 'rule:gift-cards') });
        for (const each of [null, { decision: 'block', ...review }, { decision: 'allow', ...review }] as const) {
          const text = customerExplanation({ ...record, review: each });
          expect(text).not.toMatch(hints);
          for (const name of names) expect(text).not.toContain(name.replaceAll('_', ' '));
        }
      }
    }
  });
});

describe('attributes that analysts see', () => {
  const custom_attributes = { order_id: 'order-1001', card: '4242 4242 4242 4242', email: 'ann@shop.example' };

  it('are those that the account names, never a whole card number, and nothing without its word', () => {
    expect(displayedAttributes({}, { custom_attributes })).toEqual({});
    const displayed_attributes = ['order_id', 'card', 'missing', 'toString'];
    expect(displayedAttributes({ displayed_attributes }, { custom_attributes })).toEqual({
      displayed: { order_id: 'order-1001', card: '•••• 4242' },
    });
    expect(displayedAttributes({ displayed_attributes }, { custom_attributes: undefined })).toEqual({});
  });

  it('must not be secrets, twice the same, or too many', () => {
    const faults = (displayed_attributes: string[]) =>
      settingsFaults({ ...DEFAULT_SETTINGS, displayed_attributes }).map(({ message }) => message);
    expect(faults(['order_id', 'email', 'company', 'shipping'])).toEqual([]);
    expect(faults(['card_cvv'])).toEqual(['must not name a secret such as a password or card code']);
    expect(faults(['a', 'a'])).toEqual(['has a duplicate key']);
    expect(faults(Array.from({ length: 9 }, (_, i) => `k${i}`))).toEqual(['must have at most 8 keys']);
  });
});
