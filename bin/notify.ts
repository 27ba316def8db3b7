import { needWord, readCommandLine, runCommand, UsageError } from '../shared/cli/command-line';
import { isProvider, PROVIDERS } from '../shared/domain/outcomes/processors/notification';
import { systemClock } from '../shared/runtime/clock';
import { SAMPLE_KINDS, sampleNotification } from './notify/sample-notification';

runCommand(async () => {
  const given = readCommandLine({
    usage: `npm run notify -- ${SAMPLE_KINDS.join('|')} URL --secret SECRET --reference REFERENCE`,
    about: 'Sends a signed sample notification to an inbound address, as a payment processor would.',
    options: {
      secret: { value: 'secret', does: 'what the address was created with' },
      reference: { value: 'reference', does: 'the payment that it is about, as named when it was screened' },
    },
    takesWords: true,
    next: 'look at the payment in the console: the outcome is on its timeline.',
  });
  if (!given) return;
  const [kind, url] = [needWord(given, 0, 'event'), needWord(given, 1, 'URL')];
  const { secret, reference } = given.texts;
  if (!secret || !reference) throw new UsageError('Give --secret and --reference.');
  const provider = new URL(url).pathname.split('/').at(-2) ?? '';
  if (!isProvider(provider)) throw new UsageError(`The URL names no provider; known are ${PROVIDERS.join(' and ')}.`);
  const { body, headers } = sampleNotification({ provider, kind, reference, secret, nowMs: systemClock.now() });
  const response = await fetch(url, { method: 'POST', headers, body });
  console.log(`${response.status} ${await response.text()}`);
  if (!response.ok) process.exitCode = 1;
});
