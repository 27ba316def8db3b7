import { readStartOptions } from '../../../sdk/mcp/src/start-options';

const KEY = ['sk', 'test', 'c'.repeat(38)].join('_');
const env = { FRAUD_SCREENING_KEY: KEY, FRAUD_SCREENING_URL: 'https://api.example.com' };

it('reads the environment, and flags before it', () => {
  const read = { apiKey: KEY, baseUrl: env.FRAUD_SCREENING_URL, allowDecisions: false };
  expect(readStartOptions([], env)).toEqual(read);
  expect(readStartOptions(['--url', 'http://localhost:3000', '--key', 'other', '--allow-decisions'], env)).toEqual({
    ...{ apiKey: 'other', baseUrl: 'http://localhost:3000', allowDecisions: true },
  });
  expect(readStartOptions(['--help'], {})).toBeUndefined();
});

it('says what is missing', () => {
  expect(() => readStartOptions([], { FRAUD_SCREENING_KEY: KEY })).toThrow('Set FRAUD_SCREENING_URL or --url');
  expect(() => readStartOptions([], { FRAUD_SCREENING_URL: 'x' })).toThrow('Set FRAUD_SCREENING_KEY');
});

it.each([[[KEY]], [['--kee', KEY]], [[`--kee=${KEY}`]], [[`--${KEY}`]]])(
  'does not repeat what it does not know',
  (args) => {
    expect(() => readStartOptions(args, env)).toThrow(/^Unknown or incomplete option\. Use --url, .+ or --help\.$/);
  },
);
