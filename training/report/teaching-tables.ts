import type { Judged } from '../../shared/usecases/models/model-files';
import { type Html, html } from './html';
import { count, percent } from './number-format';
import { table } from './tables';

type Teaching = NonNullable<Judged['teaching']>;

/** The accounts with the largest shares: more would be a list of customers, not an explanation. */
const MOST_SHOWN = 20;

/** Each account's share of what the model was taught with. */
export const shareTable = ({ shares }: Teaching): Html =>
  table(
    'Share of the training weight, by account',
    ['Account', 'Of the fraud', 'Of the legitimate', 'Limited'],
    shares
      .slice(0, MOST_SHOWN)
      .map(({ account_id, fraud, legitimate, is_at_cap }) => [
        html`<code>${account_id}</code>`,
        percent(fraud),
        percent(legitimate),
        is_at_cap ? 'at its limit' : 'no',
      ]),
    ['Limited'],
  );

/** Labels that did not teach. */
export const heldTable = ({ held }: Teaching): Html =>
  held.length === 0
    ? html`<p>No labels were held back.</p>`
    : table(
        'Labels that did not teach',
        ['Whose', 'Labels', 'Status', 'Why'],
        held.map(({ whose, labels, status, found }) => [html`<code>${whose}</code>`, count(labels), status, found]),
        ['Status', 'Why'],
      );
