import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { LocalPage } from '../gateway/local-pages';
import { escapeText } from './number-format';
import { PAGE_STYLE } from './page-style';

const RUNBOOK = join(__dirname, '../../docs/runbook.md');

/** Where an alarm's description links to: your own runbook at its address, ours on the page here. */
export function runbookLink(description: string): string {
  const [, page = '', section = ''] = /Runbook: (\S+)#([\w-]+)$/.exec(description) ?? [];
  return /^https?:/.test(page) ? `${page}#${section}` : `runbook#${section}`;
}

/** The runbook as a page; headings have anchors, as is usual for Markdown. */
export function renderRunbook(markdown: string): string {
  const reader = new MarkdownIt();
  reader.renderer.rules.heading_open = (tokens, at) => {
    const { tag } = tokens[at] ?? { tag: 'h2' };
    return `<${tag} id="${escapeText(tokens[at + 1]?.content.toLowerCase().replace(/ /g, '-') ?? '')}">`;
  };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Runbook</title><link rel="icon" href="data:,"><style>${PAGE_STYLE}</style></head><body><article><p><a href="dashboard">Dashboard</a></p>${reader.render(markdown)}</article></body></html>`;
}

/** `/_local/runbook`: what the dashboard's alarms link to. */
export const runbookPage: LocalPage = {
  method: 'GET',
  path: /^runbook$/,
  answer: () => ({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    },
    body: renderRunbook(readFileSync(RUNBOOK, 'utf8')),
  }),
};
