/** How far this machine's clock is ahead of the one that answers at a URL, to about a second: its `Date` header has no more. */
export async function clockSkewMs(url: string, now: () => number, ask: typeof fetch = fetch): Promise<number> {
  const askedAtMs = now();
  const answer = await ask(url);
  const theirs = Date.parse(answer.headers.get('date') ?? '');
  await answer.body?.cancel();
  if (Number.isNaN(theirs)) throw new Error(`${url} does not tell the time`);
  // Their second began up to a second before they wrote it down.
  const earliestMs = askedAtMs - theirs - 1_000;
  const latestMs = now() - theirs;
  if (earliestMs <= 0 && latestMs >= 0) return 0;
  return earliestMs > 0 ? earliestMs : latestMs;
}
