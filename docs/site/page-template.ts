import MarkdownIt from 'markdown-it';
import type { Heading, Rendered } from './render-markdown';
import { relativeLink, SECTIONS, type SitePage, sitePath } from './site-map';

const { escapeHtml } = new MarkdownIt().utils;

/** Nothing but what the site itself has: one style, and the script that searches. */
export const SITE_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const IN_ORDER: readonly SitePage[] = SECTIONS.flatMap(({ pages }) => pages);

function navigation(path: string): string {
  return SECTIONS.map(({ title, pages }) => {
    const items = pages.map((page) => {
      const current = sitePath(page.source) === path ? ' aria-current="page"' : '';
      return `<li><a href="${relativeLink(path, sitePath(page.source))}"${current}>${escapeHtml(page.title)}</a></li>`;
    });
    return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`;
  }).join('\n');
}

/** Long pages say what is on them: their sections and, on the reference, every call. */
function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 3) return '';
  const items = shown.map(
    ({ level, text, id }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function neighbours(path: string): string {
  const at = IN_ORDER.findIndex(({ source }) => sitePath(source) === path);
  if (at < 0) return '';
  const link = (page: SitePage | undefined, rel: string, words: string) =>
    page
      ? `<a rel="${rel}" href="${relativeLink(path, sitePath(page.source))}"><small>${words}</small> ${escapeHtml(page.title)}</a>`
      : '<span></span>';
  return `<nav class="neighbours" aria-label="Previous and next">${link(IN_ORDER[at - 1], 'prev', 'Previous')}${link(IN_ORDER[at + 1], 'next', 'Next')}</nav>`;
}

/** A whole page around what its Markdown says. */
export function pageOf(path: string, { html, title, headings }: Rendered): string {
  const home = relativeLink(path, sitePath('docs/guide/README.md'));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Fraud Screening Service</title>
<link rel="icon" href="${relativeLink(path, 'icon.svg')}">
<link rel="stylesheet" href="${relativeLink(path, 'style.css')}">
</head>
<body>
<a class="skip" href="#content">Skip to main content</a>
<header class="top"><a class="home" href="${home}">Fraud Screening Service</a></header>
<div class="columns">
<details class="menu"><summary>All pages</summary><nav aria-label="All pages, collapsed">
${navigation(path)}
</nav></details>
<nav class="side" aria-label="All pages">
${navigation(path)}
</nav>
<main id="content">
${html}
${neighbours(path)}
</main>
${contents(headings)}
</div>
<script src="${relativeLink(path, 'search.js')}"></script>
</body>
</html>
`;
}
