import prices from './prices.json';

/** A list price; with tiers, each applies from its quantity on. */
export interface Price {
  readonly unit: string;
  readonly tiers: ReadonlyArray<{ readonly from: number; readonly usd: number }>;
  /** The page, without `https://`, and which of its prices. */
  readonly source: string;
  /** The month in which the page said so. */
  readonly asOf: string;
}

/**
 * On-demand list prices of us-east-1 in November 2026, before any free tier, discount or savings plan, and Amazon Fraud
 * Detector's price for the same: a prediction by a trained model, first tier of its list prices. Other regions cost up to
 * 60% more: `--prices` takes a file with your own.
 */
const { fraudDetectorPrediction, ...usEast1 } = prices;

export const FRAUD_DETECTOR_PREDICTION: Price = fraudDetectorPrediction;

export type PriceName = keyof typeof usEast1;
export type PriceList = Readonly<Record<PriceName, Price>>;

export const US_EAST_1: PriceList = usEast1;

export function priceOf({ tiers }: Price, quantity: number): number {
  return tiers.reduce((sum, { from, usd }, index) => {
    const to = tiers[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    return sum + Math.max(0, Math.min(quantity, to) - from) * usd;
  }, 0);
}
