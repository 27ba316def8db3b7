import { FEATURES } from '../../shared/domain/screening/features';
import { SIGNALS } from '../../shared/domain/screening/signals';

/** The page that lists every signal and feature. */
export const SCORE_PAGE = 'docs/score.md';

const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

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

/** The page with its tables renewed between the markers `<!-- name -->` and `<!-- /name -->`. */
export function withTables(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, content]) => {
    const [before, rest = ''] = text.split(`<!-- ${name} -->`);
    const [, after = ''] = rest.split(`<!-- /${name} -->`);
    return `${before}<!-- ${name} -->\n\n${content}\n\n<!-- /${name} -->${after}`;
  }, page);
}
