/** The known name that a wrong one most resembles; undefined if none is near. */
export function nearestName(wrong: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(wrong.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  const lower = wrong.toLowerCase();
  for (const name of known) {
    if (Math.abs(name.length - wrong.length) >= least) continue;
    const distance = editDistance(lower, name.toLowerCase());
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] as number) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
