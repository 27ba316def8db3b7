import { type Check, CheckSkipped, must } from '../check';

const short = (name: string): string => name.replace(/^fraud-screening-[a-z]+-/, '');

export const alarms: Check = {
  name: 'alarms',
  proves: 'every alarm has data: it is in OK or ALARM',
  needs: 'operator',
  async run({ operator, until }) {
    let blind: readonly string[] = [];
    const all = await until(
      operator?.metricDelayMs ?? 0,
      async () => {
        const seen = (await operator?.alarms()) ?? [];
        blind = seen.filter(({ state }) => state !== 'OK' && state !== 'ALARM').map(({ name }) => short(name));
        return blind.length === 0 ? seen : undefined;
      },
      () => `${blind.length} alarms see no data (INSUFFICIENT_DATA): ${blind.join(', ')}.`,
    );
    if (all.length === 0) throw new CheckSkipped('the stage has no alarms (-c alarms=off)');
    must(all.length >= 4, `Only ${all.length} alarms were found.`);
    const red = all.filter(({ state }) => state === 'ALARM').map(({ name }) => short(name));
    return red.length > 0 ? `${all.length} alarms; in ALARM: ${red.join(', ')}` : `${all.length} alarms, all OK`;
  },
};
