/** The runner's own pages, under a prefix that no API of ours uses. */
export const LOCAL_PREFIX = '/_local/';

export interface LocalAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface LocalPage {
  readonly method: string;
  /** Matched against the path after the prefix; groups are passed to `answer`. */
  readonly path: RegExp;
  answer(groups: readonly string[], query: URLSearchParams): LocalAnswer | Promise<LocalAnswer>;
}

export const json = (body: unknown, status = 200): LocalAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: `${JSON.stringify(body, null, 2)}\n`,
});

/** Answers a request under `/_local/` from the table of pages. */
export async function localPage(pages: readonly LocalPage[], method: string, url: string): Promise<LocalAnswer> {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const rest = pathname.slice(LOCAL_PREFIX.length);
  for (const page of pages) {
    const match = page.method === method ? page.path.exec(rest) : null;
    if (match) return page.answer(match.slice(1).map(decodeURIComponent), searchParams);
  }
  return json({ message: `Not found: ${method} ${pathname}` }, 404);
}
