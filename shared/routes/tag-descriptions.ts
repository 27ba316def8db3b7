/** The sections of the reference and what each is for; the document's linter finds a tag that has none. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Transactions: 'Screen payments and read their results.',
  Events: 'Screen logins, signups and account changes.',
  Decisions: 'Find decisions, read their explanation, and correct them.',
  Cases: 'The review queue: claim, discuss and resolve what was held.',
  Users: 'What is known about a user, and who they are connected with.',
  Outcomes: 'Report chargebacks and other outcomes, so that scores learn from them.',
  Lists: 'Values that are always allowed, blocked or reviewed.',
  Rules: 'Conditions of your own on screenings: write, test and roll them out.',
  Overview: 'Counts and amounts of a period.',
  'Personal data': 'Export and erase what is stored about a person.',
  Webhooks: 'Endpoints that receive events, and their deliveries.',
  Reference: 'This API itself: its documentation, and the key in use.',
};
