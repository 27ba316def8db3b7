import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(__dirname, '../../..');
const GUIDE = join(ROOT, 'docs/guide');
const PAGES = [
  join(ROOT, 'README.md'),
  // Its samples are generated, and show bodies only; the headers of all responses are described once, at the top.
  ...readdirSync(GUIDE).flatMap((name) => (name.endsWith('.md') && name !== 'api.md' ? [join(GUIDE, name)] : [])),
];
const RESPONSE_HEADER = /\b(?:Idempotent-Replayed|X-Request-Id|X-Api-Version|Retry-After)\b/i;
/** By itself in the text, or among the options of a call. */
const SHOWS_HEADERS = /`-i`|curl -[a-z]*i\b/;

/** Sections that show how to call the API and speak of a header that the call would not show. */
const withoutHeaders = (markdown: string): string[] =>
  markdown
    .split(/^(?=#{1,6} )/m)
    .filter((part) => /^curl /m.test(part) && RESPONSE_HEADER.test(part) && !SHOWS_HEADERS.test(part))
    .map((part) => part.split('\n', 1)[0] ?? '');

it.each(PAGES.map((page) => relative(ROOT, page)))('%s shows the response headers that it speaks of', (page) => {
  expect(withoutHeaders(readFileSync(join(ROOT, page), 'utf8'))).toEqual([]);
});

it('sees a call that hides them', () => {
  const call = (options: string) =>
    `## Repeat\n\n\`\`\`sh\ncurl ${options} $API/v1\n\`\`\`\nSee \`Idempotent-Replayed\`.\n`;
  expect(withoutHeaders(`# Title\n${call('-s')}`)).toEqual(['## Repeat']);
  expect(withoutHeaders(call('-si'))).toEqual([]);
});
