import { FEATURES } from '../../shared/domain/screening/features';
import { SIGNALS } from '../../shared/domain/screening/signals';
import { table, withMarked } from './marked-tables';

/** The page that lists every signal and feature. */
export const SCORE_PAGE = 'docs/score.md';

const TABLES: Readonly<Record<string, string>> = {
  signals: table(
    ['Signal', 'Family', 'Applies to', 'Meaning'],
    SIGNALS.map(({ name, family, applies_to, summary, forces_review }) => [
      `\`${name}\``,
      family,
      applies_to,
      forces_review === undefined ? summary : `${summary}; forces a review`,
    ]),
  ),
  features: table(
    ['#', 'Feature', 'Meaning'],
    FEATURES.map(({ name, description }, slot) => [`${slot}`, `\`${name}\``, description]),
  ),
};

/** The page with its tables renewed. */
export const withTables = (page: string): string => withMarked(page, TABLES);
