import { getOverview } from '../api/routes';
import type { Overview } from '../api/types';
import { loader } from './loadable';
import type { Range } from './route';

const HOUR_MS = 3_600_000;
const RANGE_MS: Readonly<Record<Range, number>> = {
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '90d': 90 * 24 * HOUR_MS,
};

/** The overview of a range. */
export interface RangeOverview {
  readonly range: Range;
  readonly overview: Overview;
}

const current = loader<RangeOverview>();
export const overviewView = current.state;

/** Fetches the overview of a range that ends now; the previous one stays visible until it arrives. */
export const openOverview = (range: Range): Promise<void> =>
  current.load(async (abort) => {
    const since = new Date(Date.now() - RANGE_MS[range]).toISOString();
    return { range, overview: await getOverview(since, abort) };
  }, true);

export const closeOverview = (): void => current.reset();
