import fc from 'fast-check';
import type { Rule, RuleTrial } from '../../../console/src/api/types';
import { linkLayout, pathToFraud } from '../../../console/src/charts/link-layout';
import { labelled, roundUp, waterfallScale, waterfallSteps } from '../../../console/src/charts/scale';
import { bodyOf, KIND_WORDS, typedOf } from '../../../console/src/text/declaration-words';
import {
  actionText,
  changesBetween,
  changeText,
  completed,
  completions,
  FRESH_RULE,
  matchesText,
  stateText,
  stepsOf,
  typedWord,
  wordDiff,
} from '../../../console/src/text/rule-words';
import {
  casesCsv,
  csvCell,
  elapsedShare,
  firstColumn,
  groupRows,
  intervalLabel,
  linkName,
  money,
  nameOf,
  networkText,
  percent,
  shortTime,
  signedPoints,
  spokenTime,
  subjectOf,
  supposedText,
  tellingSignals,
  timeAgo,
  typedEntries,
  visible,
  withoutReturns,
} from '../../../console/src/text/words';

describe('charts and words', () => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;

  describe('a waterfall', () => {
    it('goes from the base to the score without a gap, up before down, large before small', () => {
      const contribution = fc.record({
        signal: fc.string({ minLength: 1 }),
        points: fc.integer({ min: -60, max: 90 }).filter((points) => points !== 0),
        detail: fc.string(),
      });
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 30 }),
          fc.array(contribution, { maxLength: 12 }),
          (base, contributions) => {
            const steps = waterfallSteps(base, contributions);
            const sum = contributions.reduce((total, { points }) => total + points, base);
            expect(steps[0]).toMatchObject({ kind: 'base', from: 0, to: base });
            expect(steps.at(-1)).toMatchObject({ kind: 'total', from: 0, to: sum });
            const changes = steps.slice(1, -1);
            changes.forEach((step, i) => {
              expect(step.from).toBe(steps[i]?.to);
              expect(step.to - step.from).toBe(step.points);
            });
            const kinds = changes.map(({ kind }) => kind);
            expect(kinds).toEqual([...kinds].sort((a, b) => (a === b ? 0 : a === 'up' ? -1 : 1)));
            for (const { to } of steps) expect(to).toBeLessThanOrEqual(waterfallScale(steps));
          },
        ),
      );
    });
  });

  describe('an axis', () => {
    it('ends at a round number that holds everything', () => {
      expect([0, 1, 4, 5, 7, 23, 26, 99, 101, 1234].map(roundUp)).toEqual([4, 4, 4, 6, 8, 30, 30, 100, 120, 1600]);
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 10_000_000 }),
          (value) => roundUp(value) >= value && roundUp(value) % 2 === 0,
        ),
      );
    });

    it('labels about as many columns as there is room for', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 20 }), (count, about) => {
          const hasLabel = labelled(count, about);
          const labels = Array.from({ length: count }, (_, i) => hasLabel(i)).filter(Boolean).length;
          expect(labels).toBeGreaterThan(0);
          expect(labels).toBeLessThanOrEqual(about);
        }),
      );
    });
  });

  describe('words', () => {
    it.each([
      [{ change: 'amount', at_most: 180, decision: 'allow' }, 'Allowed up to €180.00'],
      [{ change: 'known_device', decision: 'allow' }, 'On a known device: allowed'],
      [{ change: 'known_place', decision: 'challenge' }, 'From a known place: challenged'],
      [{ change: 'without_signal', signal: 'shared_ip', decision: 'review' }, 'Without “Shared IP”: held for review'],
    ] as const)('say what would have been: %j', (supposed, text) => {
      expect(supposedText(supposed, 'EUR')).toBe(text);
    });

    it.each([
      [20_000, 'now', 'less than a minute'],
      [MINUTE, '1 min', '1 minute'],
      [3 * HOUR + 5 * MINUTE, '3 h 5 min', '3 hours 5 minutes'],
      [DAY, '1 d', '1 day'],
      [6 * DAY + 23 * HOUR, '6 d 23 h', '6 days 23 hours'],
      [40 * DAY + 23 * HOUR, '40 d', '40 days'],
      [-5 * HOUR, 'now', 'less than a minute'],
    ])('for %d ms are %s and %s', (ms, short, spoken) => {
      expect([shortTime(ms), spokenTime(ms)]).toEqual([short, spoken]);
    });

    it('make cells of a CSV file that no spreadsheet runs', () => {
      const cells = ['=1+1', '+49', '-2', '@sum', '\tx', 'plain', 'a,"b"', -5, null];
      expect(cells.map(csvCell)).toEqual(["'=1+1", "'+49", "'-2", "'@sum", "'\tx", 'plain', '"a,""b"""', '-5', '']);
      const each = { case_id: 'case_1', status: 'open', user_id: '=cmd', risk_score: 70, signals: ['shared_ip'] };
      expect(casesCsv([each as never]).split('\r\n')[1]).toBe("case_1,open,'=cmd,,,,70,,,,,,,shared_ip");
    });

    it('take the first column of a file', () => {
      expect(firstColumn('a@b.example,2026\r\n"x,""y""",1\nplain')).toBe('a@b.example\nx,"y"\nplain');
    });

    it('say where an address is, as far as it is known', () => {
      expect(networkText({ ip_country: 'US', ip_asn: 16509, ip_network: 'hosting' })).toBe(
        'United States, AS16509, data centre',
      );
      expect(networkText({ ip_country: 'DE', ip_network: 'other' })).toBe('Germany');
    });

    it('leave out that somebody left a case and came back', () => {
      const steps = [
        ['claimed', 'ana'],
        ['released', 'ana'],
        ['claimed', 'ana'],
        ['released', 'ana'],
        ['claimed', 'ben'],
      ] as const;
      const left = withoutReturns(steps.map(([kind, actor]) => ({ kind, actor })));
      expect(left.map(({ kind, actor }) => `${actor} ${kind}`)).toEqual(['ana claimed', 'ana released', 'ben claimed']);
    });

    it('say how long ago, and how much of a span is over', () => {
      const at = Date.parse('2026-11-14T10:00:00Z');
      expect(timeAgo('2026-11-14T09:15:00Z', at)).toBe('45 min ago');
      expect(timeAgo('2026-11-14T10:00:00Z', at)).toBe('just now');
      expect(elapsedShare('2026-11-14T00:00:00Z', '2026-11-15T00:00:00Z', at)).toBeCloseTo(10 / 24);
      expect(elapsedShare('2026-11-10T00:00:00Z', '2026-11-11T00:00:00Z', at)).toBe(1);
    });

    it('name the zone of the hours and days of a chart', () => {
      expect(intervalLabel('2026-11-16T00:00:00.000Z', 'day')).toMatch(/^Mon,? 16 Nov \(UTC\)$/);
      expect(intervalLabel('2026-11-16T09:00:00.000Z', 'hour')).toMatch(/^\w{3},? \d+ Nov,? \d\d:\d\d \S+$/);
    });

    it('leave out the model’s own share beside signals that say something', () => {
      expect(tellingSignals(['model_risk', 'new_device', 'shared_ip'])).toEqual(['new_device', 'shared_ip']);
      expect(tellingSignals(['model_risk'])).toEqual(['model_risk']);
    });

    it('name signals, points, shares and money as people do', () => {
      expect(['velocity_spike', 'shared_ip', 'ip_mismatch'].map(nameOf)).toEqual([
        'Velocity spike',
        'Shared IP',
        'IP mismatch',
      ]);
      expect([signedPoints(23), signedPoints(-4)]).toEqual(['+23', '−4']);
      expect([percent(0), percent(0.0004), percent(0.034), percent(0.62)]).toEqual(['0%', '< 0.1%', '3.4%', '62%']);
      expect([money(1290, 'EUR'), money(5, 'nonsense')]).toEqual(['€1,290.00', '5 nonsense']);
      expect(subjectOf({ subject_type: 'event', event_type: 'password_reset' })).toBe('Password reset');
      expect(subjectOf({ subject_type: 'transaction', amount: 12, currency: 'USD' })).toBe('$12.00');
      const refund = { subject_type: 'event', event_type: 'refund_request', amount: 12, currency: 'USD' } as const;
      expect(subjectOf(refund)).toBe('Refund request, $12.00');
    });
  });

  describe('an ID that somebody else chose', () => {
    it('shows what cannot be seen, and is otherwise as it was', () => {
      expect(visible('abc\u202edcba')).toBe('abc‹U+202E›dcba');
      expect(visible('a\u0000b\u200bc\u2028')).toBe('a‹U+0000›b‹U+200B›c‹U+2028›');
      expect(visible('Jürgen 東京 👍')).toBe('Jürgen 東京 👍');
    });
  });

  describe('groups of cases', () => {
    const at = (minute: number, device: string | null, id: string) => ({
      case_id: id,
      device,
      created_at: new Date(Date.UTC(2026, 2, 1, 10, 59 - minute)).toISOString(),
    });
    const ids = (rows: Parameters<typeof groupRows>[0]) =>
      groupRows(rows).map((group) => group.map((row) => row.case_id).join());

    it('are the cases of one device, each within five minutes of the next, where the first of them stood', () => {
      const rows = [
        at(0, 'd', '1'),
        at(1, 'e', '2'),
        at(2, 'd', '3'),
        at(7, 'd', '4'),
        at(8, null, '5'),
        at(13, 'd', '6'),
      ];
      expect(ids(rows)).toEqual(['1,3,4', '2', '5', '6']);
    });

    it('need three cases, and a device', () => {
      expect(ids([at(0, 'd', '1'), at(1, 'd', '2'), at(2, null, '3'), at(2, null, '4'), at(2, null, '5')])).toEqual([
        '1',
        '2',
        '3',
        '4',
        '5',
      ]);
    });

    it('keep every case exactly once', () => {
      const row = fc.record({ minute: fc.nat(59), device: fc.constantFrom('d', 'e', null) });
      fc.assert(
        fc.property(fc.array(row), (made) => {
          const rows = made
            .sort((a, b) => a.minute - b.minute)
            .map(({ minute, device }, index) => at(minute, device, String(index)));
          const grouped = groupRows(rows).flat();
          expect(grouped.map(({ case_id }) => case_id).sort()).toEqual(rows.map(({ case_id }) => case_id).sort());
        }),
      );
    });
  });
});

describe('link layout', () => {
  const node = (id: string, type: string, more: object = {}) => ({
    ...{ id, type, label: `${type} ${id}`, confirmed_fraud: false, users: type === 'user' ? 1 : 2, ...more },
  });
  const edge = (from: string, to: string) => ({ from, to, since: '2026-11-01T00:00:00.000Z' });

  /** A user with their own card and phone, and an office that three hundred share; a fraud uses the same card. */
  const graph = {
    nodes: [
      node('me', 'user', { label: 'user-42' }),
      node('office', 'ip_address', { users: 300 }),
      node('phone', 'device', { users: 1 }),
      node('card', 'attribute:card_fingerprint'),
      node('bo', 'user'),
      node('thief', 'user', { confirmed_fraud: true }),
    ],
    edges: [edge('me', 'office'), edge('me', 'phone'), edge('me', 'card'), edge('bo', 'card'), edge('thief', 'card')],
    truncated: false,
  };

  it('puts what leads to others first and crowds last, and draws every edge once between its rows', () => {
    const layout = linkLayout(graph);
    expect(layout?.used.map(({ id }) => id)).toEqual(['card', 'phone', 'office']);
    expect(layout?.others.map(({ id }) => id)).toEqual(['bo', 'thief']);
    expect(layout?.own.map(({ to, rows }) => [to, rows])).toEqual([
      ['office', [1, 2]],
      ['phone', [1, 1]],
      ['card', [1, 0]],
    ]);
    expect(layout?.shared.map(({ from, rows, isOnPath }) => [from, rows, isOnPath])).toEqual([
      ['bo', [0, 0], false],
      ['thief', [0, 1], true],
    ]);
  });

  it('is the same picture in whatever order the nodes come', () => {
    const [me, ...rest] = graph.nodes;
    const turned = { ...graph, nodes: [me, ...rest.reverse()] as typeof graph.nodes };
    expect(linkLayout(turned)).toMatchObject({ used: linkLayout(graph)?.used, others: linkLayout(graph)?.others });
  });

  it('finds the shortest way to a confirmed fraud, and none where there is none', () => {
    expect(pathToFraud(graph).map(({ id }) => id)).toEqual(['me', 'card', 'thief']);
    const nearer = graph.nodes.map((each) => (each.id === 'phone' ? { ...each, confirmed_fraud: true } : each));
    expect(pathToFraud({ ...graph, nodes: nearer }).map(({ id }) => id)).toEqual(['me', 'phone']);
    const honest = graph.nodes.map((each) => ({ ...each, confirmed_fraud: each.id === 'me' }));
    expect(pathToFraud({ ...graph, nodes: honest })).toEqual([]);
    expect(linkLayout({ nodes: [], edges: [], truncated: false })).toBeUndefined();
  });

  it('names nodes by their kind, users as they are, without what cannot be seen', () => {
    expect(linkName({ type: 'attribute:card_fingerprint', label: 'card_fingerprint b7mQz4' })).toBe('Card b7mQz4');
    expect(linkName({ type: 'ip_address', label: 'ip address Jx0cH1' })).toBe('IP address Jx0cH1');
    expect(linkName({ type: 'attribute:loyalty_no', label: 'loyalty_no abc' })).toBe('Loyalty no abc');
    expect(linkName({ type: 'user', label: 'a\u202eb' })).toBe('a‹U+202E›b');
  });
});

describe('lists', () => {
  const NOW = Date.UTC(2026, 10, 16);

  it('takes one value per line, and what applies to all of them', () => {
    expect(typedEntries({ text: ' ann \n\nbob\r\n', days: 7, reason: 'office' }, NOW)).toEqual([
      { value: 'ann', expires_at: '2026-11-23T00:00:00.000Z', reason: 'office' },
      { value: 'bob', expires_at: '2026-11-23T00:00:00.000Z', reason: 'office' },
    ]);
    expect(typedEntries({ text: 'ann', days: 0, reason: '' }, NOW)).toEqual([{ value: 'ann' }]);
    expect(typedEntries({ text: ' \n', days: 0, reason: '' }, NOW)).toEqual([]);
  });
});

describe('definitions', () => {
  const { counters, attributes } = KIND_WORDS;

  it('are sent as they were typed, lists by commas, and nothing where nothing was typed', () => {
    const typed = { ...typedOf(counters, undefined), of: 'transaction, refund,', by: ' user_id ', note: ' ' };
    expect(bodyOf(counters, { ...typed, value: 'left over', window: '7d' })).toEqual({
      ...{ of: ['transaction', 'refund'], count: 'attempts', value: null, by: ['user_id'], window: '7d' },
      ...{ where: null, note: null },
    });
    expect(bodyOf(attributes, typedOf(attributes, undefined))).toEqual({ type: 'text', entity: false, note: null });
  });

  it('are sent back unchanged if nobody changed them', () => {
    const body = { type: 'number', entity: true, note: 'Items' } as const;
    const stamps = { created_at: '', updated_at: '', updated_by: 'ana' };
    expect(bodyOf(attributes, typedOf(attributes, { key: 'items', ...body, ...stamps }))).toEqual(body);
  });
});

describe('rules', () => {
  const names = ['amount', 'attr.email', 'ip.country', 'billing.country', 'features.user_age_days'].map((name) => ({
    name,
    type: 'string',
    description: '',
  }));
  const found = (word: string) => completions(names, word).map(({ name }) => name);

  describe('completing names', () => {
    it('offers those that begin with the word, then those with a part that does', () => {
      expect(found('a')).toEqual(['amount', 'attr.email', 'features.user_age_days']);
      expect(found('country')).toEqual(['ip.country', 'billing.country']);
      expect(found('amount')).toEqual([]);
      expect(found('zebra')).toEqual([]);
    });

    it('knows the word at the caret, and that texts in quotes hold no names', () => {
      expect(typedWord('amount > 5 && ip.c', 18)).toEqual({ from: 14, word: 'ip.c' });
      expect(typedWord('amount > 5', 10)).toBeUndefined();
      expect(typedWord('currency == "am', 15)).toBeUndefined();
      expect(typedWord('currency == "a\\"b" && am', 24)).toEqual({ from: 22, word: 'am' });
      // Within a word, nothing is being added to it.
      expect(typedWord('amount', 2)).toBeUndefined();
    });

    it('puts the name in place of the word', () => {
      expect(completed('!ip.c && x', { from: 1, word: 'ip.c' }, 'ip.country')).toEqual({
        text: '!ip.country && x',
        caret: 11,
      });
    });
  });

  describe('differences of versions', () => {
    it('are listed by member', () => {
      const after = { ...FRESH_RULE, priority: 10, applies_to: ['login' as const], note: 'why' };
      expect(changesBetween(FRESH_RULE, after)).toEqual([
        { member: 'priority', from: '500', to: '10' },
        { member: 'applies_to', from: 'none', to: 'login' },
        { member: 'note', from: 'none', to: 'why' },
      ]);
      expect(changesBetween(after, after)).toEqual([]);
    });

    it('of texts are shown word by word, and both can be read from them', () => {
      const [before, after] = ['amount > 200 && score >= 40', 'amount > 250 && score >= 40 && ip.hosting'];
      const parts = wordDiff(before, after);
      expect(parts.filter(({ kind }) => kind === 'gone')).toEqual([{ kind: 'gone', text: '200' }]);
      const without = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [] : part.text)).join('');
      expect([without('new'), without('gone')]).toEqual([before, after]);
    });
  });

  describe('the way of a rule', () => {
    const steps = (state: Rule['state'], rollout_percent = 100) =>
      stepsOf({ state, rollout_percent }).map(({ label }) => label);

    it('leads from draft through shadow and a tenth to everybody', () => {
      expect(steps('draft')).toEqual(['Try in shadow']);
      expect(steps('shadow')).toEqual(['Activate for 10%', 'Pause']);
      expect(steps('active', 10)).toEqual(['Activate for 100%', 'Back to shadow', 'Pause']);
      expect(steps('active')).toEqual(['Pause', 'Back to 10%']);
      expect(steps('paused', 10)).toEqual(['Try in shadow', 'Activate for 10%']);
    });

    it('is described in words', () => {
      expect(stateText({ state: 'active', rollout_percent: 10 })).toBe('Active, 10%');
      expect(actionText({ action: 'points', points: -5 })).toBe('−5 points');
      expect(matchesText({ matches: { last_24h: 3, last_7d: 10 } })).toBe('1.4 per day');
    });

    it('says per day and by its share of users what a step would change', () => {
      const trial = { days: 30, flips: [{ from: 'allow', to: 'review', count: 600 }] } as unknown as RuleTrial;
      const [tenth] = stepsOf({ state: 'shadow', rollout_percent: 100 });
      expect(tenth && changeText(tenth, trial)).toBe(
        'By the last 30 days, expect per day: 2 allowed → held for review.',
      );
      expect(tenth && changeText(tenth, { ...trial, flips: [] })).toBe(
        'In the last 30 days it would have changed no decision.',
      );
    });
  });
});
