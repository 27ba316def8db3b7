import { type Check, must } from '../check';

export const schedules: Check = {
  name: 'schedules',
  proves: 'sweeps and training run without an error or a refusal',
  needs: 'operator',
  async run({ operator }) {
    const runs = (await operator?.runSchedules()) ?? [];
    must(runs.length >= 3, `Only ${runs.length} scheduled functions were found; there should be at least 3.`);
    const failed = runs.filter(({ error }) => error !== undefined);
    must(failed.length === 0, failed.map(({ name, error }) => `${name} failed: ${error}`).join(' '));
    const denials = (await operator?.denials()) ?? [];
    must(denials.length === 0, `IAM refused: ${denials.join('; ')}`);
    return runs.map(({ name }) => name).join(', ');
  },
};
