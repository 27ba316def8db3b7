import { type Check, must, type VerifyContext } from '../check';
import { pay, succeed } from './screening';

/** The promise: an account's settings take effect everywhere within 60 s. */
const WITHIN_MS = 62_000;

const untilDecided = (context: VerifyContext, wanted: string, body: object, what: string): Promise<true> =>
  context.until(
    WITHIN_MS,
    async () => (await pay(context, { amount: 9, currency: 'EUR', ...body })).json.decision === wanted || undefined,
    () => `${what} has no effect after 60 s: such a payment should get ${wanted}.`,
  );

export const rules: Check = {
  name: 'rules',
  proves: 'a rule is tested, decides, and is removed; so is a declared attribute',
  needs: 'http',
  async run(context) {
    const name = context.newName('verify').toLowerCase();
    const marker = context.newName('gift');
    const expression = `attr.category == "${marker}"`;
    const attribute = `/v1/attributes/${name}`;
    await succeed(context, 'PUT', attribute, { type: 'number' });
    await succeed(context, 'DELETE', attribute);
    await succeed(context, 'POST', '/v1/rules/test', { expression, action: 'block' });
    await succeed(context, 'PUT', `/v1/rules/${name}`, { expression, action: 'block', state: 'active' });
    try {
      const body = { user_id: context.newName('user'), custom_attributes: { category: marker } };
      await untilDecided(context, 'block', body, `The rule ${name}`);
      const { rules: all } = (await succeed(context, 'GET', '/v1/rules')).json;
      must(
        all.some((rule: { name: string }) => rule.name === name),
        `The rule ${name} is not listed.`,
      );
    } finally {
      await succeed(context, 'DELETE', `/v1/rules/${name}`);
    }
    return undefined;
  },
};

export const lists: Check = {
  name: 'lists',
  proves: 'a value on a block list is blocked, and the list is removed',
  needs: 'http',
  async run(context) {
    const name = context.newName('verify').toLowerCase();
    const user_id = context.newName('listed');
    await succeed(context, 'PUT', `/v1/lists/${name}`, { type: 'user_id', effect: 'block' });
    try {
      await succeed(context, 'POST', `/v1/lists/${name}/entries`, { entries: [{ value: user_id }] });
      await untilDecided(context, 'block', { user_id }, `The list ${name}`);
      const { entries } = (await succeed(context, 'GET', `/v1/lists/${name}/entries`)).json;
      must(entries.length === 1, `The list ${name} should have one entry; it has ${entries.length}.`);
    } finally {
      await succeed(context, 'DELETE', `/v1/lists/${name}`);
    }
    return undefined;
  },
};
