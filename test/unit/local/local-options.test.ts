import { localOptions } from '../../../local/local-options';

describe('options of npm start', () => {
  it.each([
    [['--port', 'http'], '--port http is not a valid port. Use a number from 0 to 65535.'],
    [['--stage', 'staging'], 'Unknown stage: staging. Use sandbox or production.'],
    [['--endpoint-url', 'localhost'], '--endpoint-url localhost is not a valid URL'],
    [['--concurrency', '0'], '--concurrency 0 is not valid. Use a number from 1 to 999.'],
    [['-c', 'accountRateLimit'], '--context accountRateLimit is not a deployment option. Use name=value.'],
    [['--colour'], "Unknown option '--colour'"],
  ])('refuses %j', (args, message) => {
    expect(() => localOptions(args)).toThrow(message);
  });

  it('has a port, a stage and a directory without any', () => {
    const options = localOptions([]);
    expect(options).toMatchObject({ port: 3_000, stackName: 'FraudScreening-sandbox', inMemory: false });
    expect(options?.dataDir).toMatch(/\.local\/sandbox$/);
  });
});
