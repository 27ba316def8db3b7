import { readFileSync } from 'node:fs';
import { type Price, type PriceList, US_EAST_1 } from '../../lib/prices';
import { UsageError } from '../../shared/cli/command-line';

/** Our price list, with prices from a file replacing ours. */
export function pricesOf(file: string | undefined): PriceList {
  if (file === undefined) return US_EAST_1;
  const text = readFileSync(file, 'utf8');
  let own: Record<string, unknown>;
  try {
    own = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--prices ${file} is not JSON: ${(error as Error).message}`);
  }
  const prices: Record<string, Price> = { ...US_EAST_1 };
  for (const [name, usd] of Object.entries(own)) {
    const known = prices[name];
    if (!known) throw new UsageError(`--prices ${file}: unknown price ${name}. Known prices: ${Object.keys(prices)}`);
    if (typeof usd !== 'number' || !(usd >= 0))
      throw new UsageError(`--prices ${file}: ${name} must be a price in dollars per ${known.unit}.`);
    prices[name] = { ...known, tiers: [{ from: 0, usd }], source: file };
  }
  return prices as PriceList;
}
