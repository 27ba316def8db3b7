import { posix } from 'node:path';

/** Links and pictures of the site's pages that lead to no file or no anchor of it: `page: link`. */
export function brokenLinks(site: ReadonlyMap<string, Buffer>): string[] {
  const pages = [...site]
    .filter(([path]) => path.endsWith('.html'))
    .map(([path, bytes]) => [path, String(bytes)] as const);
  const anchors = new Map(
    pages.map(([path, html]) => [path, new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))]),
  );
  return pages.flatMap(([path, html]) =>
    [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(path, link))
      .map((link) => `${path}: ${link}`),
  );

  function leadsSomewhere(from: string, link: string): boolean {
    const [target = '', anchor] = link.split('#');
    const path = target === '' ? from : posix.join(posix.dirname(from), decodeURIComponent(target));
    if (!site.has(path)) return false;
    return anchor === undefined || (anchors.get(path)?.has(decodeURIComponent(anchor)) ?? false);
  }
}
