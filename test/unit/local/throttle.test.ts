import { stageThrottle, throttle } from '../../../local/gateway/handle-request';

describe('token buckets', () => {
  const rate = { rateLimit: 2, burstLimit: 3 };

  it('allow a burst, then the rate, and never more than the burst after a pause', () => {
    let now = 0;
    const take = throttle(() => now);
    const taken = (count: number) => Array.from({ length: count }, () => take('key', rate)).filter(Boolean).length;
    expect(taken(5)).toBe(3);
    now = 499;
    expect(taken(2)).toBe(0);
    now = 500;
    expect(taken(2)).toBe(1);
    now = 1_500;
    expect(taken(5)).toBe(2);
    now = 3_600_000;
    expect(taken(10)).toBe(3);
  });

  it('count each key by itself', () => {
    const take = throttle(() => 0);
    for (let index = 0; index < 3; index += 1) take('busy', rate);
    expect([take('busy', rate), take('quiet', rate)]).toEqual([false, true]);
  });
});

describe('stage throttling', () => {
  const settings = [
    { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 1 },
    { ResourcePath: '/~1v1~1busy', HttpMethod: 'GET', ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 2 },
  ];

  it('gives each method the default limit by itself, and a named method its own', () => {
    const within = stageThrottle(settings);
    expect([within('/v1/a', 'GET'), within('/v1/a', 'GET'), within('/v1/b', 'GET')]).toEqual([true, false, true]);
    expect([1, 2, 3].map(() => within('/v1/busy', 'GET'))).toEqual([true, true, false]);
  });

  it('lets everything through without limits', () => {
    expect(stageThrottle([{ ResourcePath: '/*', HttpMethod: '*' }])('/a', 'GET')).toBe(true);
  });
});
