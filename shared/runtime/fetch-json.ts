const TIMEOUT_MS = 3_000;
const MOST_CHARACTERS = 300_000;

/** The JSON at an address. No redirects: what answers must be what was asked. */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${url} answered HTTP ${response.status}`);
  const text = await response.text();
  if (text.length > MOST_CHARACTERS) throw new Error(`${url} answered more than ${MOST_CHARACTERS} characters`);
  return JSON.parse(text);
}
