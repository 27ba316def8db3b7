import { type AccountSettings, DEFAULT_SETTINGS } from '../../accounts/account';
import type { ScreeningRecord } from './screening-record';

/** What a screening keeps of its account's settings: thresholds of its own, and whether it is listed. */
export function recordedSettings(settings: AccountSettings): Pick<ScreeningRecord, 'thresholds' | 'unlisted'> {
  const own = ownThresholds(settings);
  return settings.keep_history === false ? { ...own, unlisted: true } : own;
}

/** Most accounts have the default thresholds, which need not be stored. */
function ownThresholds(settings: AccountSettings): Pick<ScreeningRecord, 'thresholds'> {
  const { challenge_threshold, review_threshold, block_threshold } = settings;
  const isUsual =
    challenge_threshold === undefined &&
    review_threshold === DEFAULT_SETTINGS.review_threshold &&
    block_threshold === DEFAULT_SETTINGS.block_threshold;
  const challenge = challenge_threshold === undefined ? {} : { challenge_threshold };
  return isUsual ? {} : { thresholds: { ...challenge, review_threshold, block_threshold } };
}
