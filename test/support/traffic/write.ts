import { botShop } from './bot-shop';
import { burstCards } from './burst-cards';
import { busyRegistrations } from './busy-registrations';
import { categoryCards } from './category-cards';
import { foreignAmounts } from './foreign-amounts';
import { stolenAccounts } from './stolen-accounts';
import { terminalCards } from './terminal-cards';

/* Writes a made-up history for `npm run replay`: npx tsx test/support/traffic/write.ts category-cards > .local/cards.jsonl */
const KINDS = {
  'terminal-cards': () => terminalCards(600, 1500, 90),
  'category-cards': () => categoryCards(300, 180),
  'bot-shop': () => botShop(15_000, 1_500),
  'busy-registrations': () => busyRegistrations(20_000),
  'burst-cards': () => burstCards(1_000, 26),
  'foreign-amounts': () => foreignAmounts(20_000),
  'stolen-accounts': () => stolenAccounts(1_000, 26),
} as const;

const make = KINDS[process.argv[2] as keyof typeof KINDS];
if (make === undefined) throw new Error(`one of ${Object.keys(KINDS).join(', ')}`);
process.stdout.write(
  make()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
);
