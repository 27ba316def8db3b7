/** Runs something for each item, at most `limit` at once. Rejects with the first failure, after all have ended. */
export async function eachAtMost<Item>(
  limit: number,
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await run(items[next++] as Item);
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  const failed = workers.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}
