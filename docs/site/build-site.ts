import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { brokenLinks } from './broken-links';
import { pageOf } from './page-template';
import { type Rendered, renderMarkdown } from './render-markdown';
import { filePath, LISTED_FOLDER, ROOT, relativeLink, SECTIONS, SOURCES, sitePath } from './site-map';

/** A site that cannot be built: what is wrong with which page. */
export class SiteError extends Error {}

const STYLE = ['console/src/style/tokens.css', 'docs/site/style.css'];
const read = (source: string): string => readFileSync(join(ROOT, source), 'utf8');

/** The page of a folder: what is in it, by its own headings. */
function folderPage(): string {
  const sources = SECTIONS.flatMap(({ hidden = [] }) => hidden).filter((source) =>
    source.startsWith(LISTED_FOLDER.source),
  );
  const lines = sources.map((source) => {
    const [, heading = source] = /^# (.+)$/m.exec(read(source)) ?? [];
    return `- [${heading}](${posix.relative(LISTED_FOLDER.source, source)})`;
  });
  return `# ${LISTED_FOLDER.title}\n\nDecisions that were expensive to make and would be expensive to reverse.\n\n${lines.join('\n')}\n`;
}

/** Reads one source; files that it shows or links to go into `files`. */
function render(source: string, files: Map<string, Buffer>): Rendered {
  const isFolder = source === LISTED_FOLDER.source;
  const path = sitePath(source);
  const folder = isFolder ? source : posix.dirname(source);
  const rewrite = (href: string): string => {
    if (/^(?:[a-z]+:|#)/.test(href)) return href;
    const [target = '', anchor] = href.split('#');
    const found = posix.join(folder, decodeURIComponent(target)).replace(/\/$/, '');
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (SOURCES.includes(found)) return relativeLink(path, sitePath(found)) + hash;
    const file = join(ROOT, found);
    // Left unchanged: the check for broken links reports it.
    if (found.startsWith('..') || !existsSync(file) || !statSync(file).isFile()) return href;
    files.set(filePath(found), readFileSync(file));
    return relativeLink(path, filePath(found)) + hash;
  };
  return renderMarkdown(isFolder ? folderPage() : read(source), rewrite);
}

/** A part of a page that a search can lead to. */
type Section = readonly [page: string, heading: string, path: string, text: string];

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** The sections of a page with their text, without marks. */
function sectionsOf(path: string, { html, title, headings }: Rendered): Section[] {
  const parts = html.split(/(?=<h[1-6][ >])/);
  return headings.flatMap(({ text, id }): Section[] => {
    const part = parts.find((each) => each.startsWith('<h') && each.slice(0, 200).includes(`id="${id}"`));
    if (part === undefined) return [];
    const words = part.replace(/^<h.*?<\/h\d>/s, '').replace(/<[^>]*>/g, ' ');
    const plain = words.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? '').replace(/\s+/g, ' ');
    return [[title, text, `${path}#${id}`, plain.trim()]];
  });
}

/**
 * The whole site by path, from the Markdown files of the repository.
 * @throws SiteError that names every link to nowhere
 */
export function buildSite(): ReadonlyMap<string, Buffer> {
  const site = new Map<string, Buffer>();
  const sections: Section[] = [];
  for (const source of SOURCES) {
    const path = sitePath(source);
    if (site.has(path)) throw new SiteError(`${source}: another page already uses ${path}`);
    const rendered = render(source, site);
    site.set(path, Buffer.from(pageOf(path, rendered)));
    sections.push(...sectionsOf(path, rendered));
  }
  site.set('style.css', Buffer.from(STYLE.map(read).join('\n')));
  site.set('search.js', Buffer.from(read('docs/site/search.js')));
  site.set('search.json', Buffer.from(JSON.stringify(sections)));
  site.set('icon.svg', readFileSync(join(ROOT, 'console/src/icon.svg')));
  const broken = brokenLinks(site);
  if (broken.length > 0) throw new SiteError(`Broken links:\n  ${broken.join('\n  ')}`);
  return site;
}
