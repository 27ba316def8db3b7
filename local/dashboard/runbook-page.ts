import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { LocalPage } from '../gateway/local-pages';
import { escapeText } from './draw-graph';

/** The page's style: quiet, so that what is wrong stands out; light or dark, following the reader's system. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--page:#f3f5f8;--card:#fff;--text:#1c2530;--quiet:#5d6b7c;--line:#e3e8ee;--shadow:0 1px 2px rgb(20 30 50/.08)}
@media (prefers-color-scheme:dark){:root{--page:#10151c;--card:#19212b;--text:#e7edf4;--quiet:#93a1b3;--line:#2b3644;--shadow:none}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:14px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:baseline;padding:1rem 1.25rem .25rem;max-width:1500px;margin:auto}
h1{font-size:1.15rem;margin:0 auto 0 0}
header small{color:var(--quiet)}
nav a{color:var(--quiet);text-decoration:none;padding:.15rem .5rem;border-radius:.4rem}
nav a[aria-current]{background:var(--text);color:var(--page)}
nav a:focus-visible{outline:2px solid #3f6fd1}
main{display:grid;grid-template-columns:repeat(24,minmax(0,1fr));grid-auto-rows:42px;gap:10px;padding:.75rem 1.25rem 2rem;max-width:1500px;margin:auto}
h2{align-self:end;margin:0;font-size:1rem;color:var(--quiet);font-weight:600}
.widget{background:var(--card);border-radius:10px;box-shadow:var(--shadow);padding:10px 14px 8px;display:flex;flex-direction:column;min-width:0;overflow:hidden;position:relative}
h3{flex:none;margin:0 0 4px;font-size:.86rem;font-weight:600;line-height:1.25;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
svg{display:block;width:100%;height:auto;min-height:0;overflow:visible}
svg.graph{flex:1}
svg.bars{max-height:100%}
.grid{stroke:var(--line);stroke-width:1}
.axis{fill:var(--quiet);font-size:10.5px}
.axis.right{opacity:.8}
.line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
.line.on-right{stroke-dasharray:1 4;stroke-width:2}
.area{opacity:.78}
.spark .area{opacity:.16}
.limit{stroke-width:1.2;stroke-dasharray:5 4}
.limit-label{font-size:10.5px;text-anchor:end}
.cursor{stroke:var(--quiet);stroke-width:1;visibility:hidden}
.bar{fill:#3f6fd1}
.bar-label{fill:var(--text);font-size:11.5px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:0 .9rem;margin:2px 0 0;padding:0;font-size:.75rem;color:var(--quiet)}
.legend i{display:inline-block;width:.65rem;height:.65rem;border-radius:2px;margin-right:.3rem}
.legend b{color:var(--text);font-weight:600}
.single-value{margin:0;font-size:1.7rem;font-weight:650;line-height:1.15;letter-spacing:-.01em}
svg.spark{margin-top:auto;height:30px}
.empty{margin:auto;color:var(--quiet)}
.alarms{list-style:none;display:flex;flex-wrap:wrap;gap:.35rem .45rem;margin:2px 0 0;padding:0;font-size:.8rem}
.alarms a{display:flex;align-items:center;gap:.35rem;padding:.12rem .55rem;border:1px solid var(--line);border-radius:1rem;color:inherit;text-decoration:none}
.alarms a:hover{border-color:var(--quiet)}
.alarms a:focus-visible{outline:2px solid #3f6fd1}
.alarms i{width:.6rem;height:.6rem;border-radius:50%;background:#2e9e6b}
.alarms small{color:var(--quiet)}
.alarms .alarm a{background:#b93434;border-color:#b93434;color:#fff}
.alarms .alarm i{background:#fff}
.alarms .alarm small{color:#ffe3e3}
.alarms .insufficient_data i{background:var(--quiet)}
.tip{position:fixed;z-index:2;pointer-events:none;background:var(--card);color:var(--text);border:1px solid var(--line);border-radius:8px;box-shadow:0 4px 14px rgb(0 0 0/.18);padding:.4rem .6rem;font-size:.75rem;max-width:22rem}
.tip i{display:inline-block;width:.6rem;height:.6rem;border-radius:2px;margin-right:.35rem}
.tip b{float:right;margin-left:1rem}
article{max-width:52rem;margin:auto;padding:1rem 1.25rem 4rem;line-height:1.55}
article h2{color:var(--text);margin:2rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--line);font-size:1.1rem}
article h2:target{border-top-color:#d64545}
article a{color:inherit}
article pre{overflow:auto;background:var(--card);border-radius:8px;padding:.75rem 1rem}
article code{font-size:.9em;overflow-wrap:anywhere}
@media (max-width:1400px){h3{font-size:.73rem}}
@media (max-width:900px){main{display:block}.widget{margin-bottom:10px;min-height:200px}h2{margin:1rem 0 .5rem}}
`;

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
