import { type Check, CheckSkipped, must } from '../check';

export const testPage: Check = {
  name: 'test-page',
  proves: 'an alarm that goes off is sent to its topic',
  needs: 'operator',
  async run({ operator }) {
    const page = await operator?.testPage();
    if (!page) throw new CheckSkipped('the local run sends no notifications');
    must(page.sent, `A test page was not sent: ${page.detail}`);
    return page.detail;
  },
};
