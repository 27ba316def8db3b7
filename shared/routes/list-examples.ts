/** A list for the API's documentation. */
export const listExample = {
  name: 'stolen-cards',
  type: 'card_fingerprint',
  effect: 'block',
  note: 'Reported by our processor',
  entries: 3,
  created_at: '2026-11-14T09:30:00.000Z',
  updated_at: '2026-11-15T08:00:00.000Z',
} as const;

/** Stated by every route that changes what screenings see. */
export const WORKS_SOON = 'Screenings follow within 60 seconds.';
