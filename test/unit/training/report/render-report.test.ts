import fc from 'fast-check';
import { escapeHtml } from '../../../../training/report/charts';
import { renderReport } from '../../../../training/report/render-report';
import { sampleReport } from '../../../support/docs/sample-report';

/** Every tag of a page, by name; a page is ours when a hostile text adds none. */
const tagsOf = (page: string) => [...page.matchAll(/<[/!]?([a-z]+)/gi)].map(([, name]) => name);

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</style><svg onload=alert(1)>',
  '&lt;b&gt;',
  '\u0000\u001b[31m\ud800\uffff',
];

it('has the same markup whatever is written into it', () => {
  const tags = tagsOf(renderReport(sampleReport()));
  const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 60 }));
  fc.assert(
    fc.property(text, (hostile) => {
      const page = renderReport(sampleReport(hostile));
      expect(tagsOf(page)).toEqual(tags);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left.
      expect(page).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      expect(page.isWellFormed()).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('shows a text as it was, apart from what a page cannot hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const back = escapeHtml(text)
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      expect(back).toBe(text);
    }),
  );
});

it('holds what a reader looks for', () => {
  const page = renderReport(sampleReport());
  for (const part of [
    'Verdict',
    'ROC',
    'Precision and recall',
    'Calibration',
    'Scores by outcome',
    'Stopped by threshold',
    'Gain by threshold',
    'Legitimate amount stopped',
    'Decisions that change',
    'Decisions that flip',
    'Screenings that move by more than 10 points',
    'In shadow',
    '0.900 → 0.700',
    'What it looks at',
    'Learned attributes',
    'user: transactions in an hour',
    '2026-09-01 00:00 UTC',
    '300 fraud and 1,300 legitimate',
  ]) {
    expect(page).toContain(part);
  }
  expect(page).not.toMatch(/NaN|undefined|Infinity|\[object/);
});

it('says so where a model was never compared', () => {
  const { card, ...rest } = sampleReport();
  const holdout = {
    rows: 1600,
    fraud: 90,
    auc: 0.91,
    average_precision: 0.7,
    recall_at_1pct: 0.6,
    recall_at_5pct: 0.8,
  };
  const calibration = [
    { from: 60, to: 70, rows: 40, fraud: 16, predicted: 0.37, observed: 0.4 },
    { from: 95, to: 100, rows: 0, fraud: 0, predicted: null, observed: null },
  ];
  const page = renderReport({
    ...rest,
    card: { ...card, holdout: { ...holdout, log_loss: 0.1, calibration } },
    ...{ evaluation: null, verdict: null, shadow: null, teaching: null, attributes: { columns: [] } },
  });
  expect(page).toContain('has not been compared');
  expect(page).toContain('On the 1,600 newest training rows, 90 of them fraud');
  expect(page).toMatch(/What a score meant.*60–69<\/th><td>40<\/td><td>16<\/td><td>40%<\/td><td>37%<\/td>/s);
  expect(page).not.toContain('95–100');
  expect(page).not.toMatch(/NaN|undefined/);
});
