import { parseTraceparent, traceIdOf, traceparentOf } from '../../../shared/domain/traceparent';
import { type Change, eventsOf, messageOf } from '../../../shared/domain/webhooks/webhook-event';
import { callerOf } from '../../../shared/http/caller';
import { requestLog } from '../../../shared/http/request-log';
import { toMessage } from '../../../shared/store/webhooks/message-store';
import { listChange, openCase, screened } from '../../support/changes';
import { eventOf } from '../../support/proxy-event';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const SENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

const handedOn = (header: string | undefined): string | undefined => {
  const trace = parseTraceparent(header);
  return trace && traceparentOf(trace);
};

describe('a traceparent', () => {
  it.each([
    ['sampled', SENT, SENT],
    ['not sampled', `00-${TRACE_ID}-${SPAN_ID}-00`, `00-${TRACE_ID}-${SPAN_ID}-00`],
    ['with a random trace ID', `00-${TRACE_ID}-${SPAN_ID}-03`, `00-${TRACE_ID}-${SPAN_ID}-03`],
    ['with flags that nobody has defined', `00-${TRACE_ID}-${SPAN_ID}-ff`, `00-${TRACE_ID}-${SPAN_ID}-03`],
    ['of a later version', `cc-${TRACE_ID}-${SPAN_ID}-01`, SENT],
    ['of a later version with more fields', `cc-${TRACE_ID}-${SPAN_ID}-01-what-comes-next`, SENT],
  ])('%s is handed on', (_what, sent, expected) => expect(handedOn(sent)).toBe(expected));

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['of version ff', `ff-${TRACE_ID}-${SPAN_ID}-01`],
    ['of version 00 with more fields', `${SENT}-more`],
    ['of version 00 with a dash at its end', `${SENT}-`],
    ['of a later version that goes on without a dash', `cc-${TRACE_ID}-${SPAN_ID}-01.more`],
    ['in upper case', SENT.toUpperCase()],
    ['with a trace ID of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['with a span ID of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['with a short trace ID', `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
    ['with something that is not hexadecimal', `00-${TRACE_ID.replace('b', 'g')}-${SPAN_ID}-01`],
    ['without flags', `00-${TRACE_ID}-${SPAN_ID}`],
    ['with spaces in it', SENT.replaceAll('-', ' - ')],
    ['with a line after it', `${SENT}\n`],
  ])('that is %s is ignored', (_what, sent) => expect(handedOn(sent)).toBeUndefined());

  it('takes 34 characters', () => {
    const trace = parseTraceparent(SENT);
    expect(trace).toHaveLength(34);
    expect(trace && traceIdOf(trace)).toBe(TRACE_ID);
  });
});

describe('a request', () => {
  const request = (...sent: string[]) =>
    eventOf('GET', '/v1/cases', { headers: sent.map((value) => ['Traceparent', value]) });

  /** The log line of a request, as far as it speaks of traces. */
  const loggedId = async (event: ReturnType<typeof request>): Promise<unknown> => {
    const lines: Record<string, unknown>[] = [];
    const log = { info: (_: string, fields: object) => void lines.push({ ...fields }), error: () => undefined };
    const chain = requestLog({ operation: 'list-cases' }, { clock: { now: () => 0 }, log: log as never });
    await chain.after?.({ event, response: { statusCode: 200, body: '' } } as never);
    return lines[0]?.trace_id;
  };

  it('has the ID of its trace in its log line', async () => {
    expect(await loggedId(request(SENT))).toBe(TRACE_ID);
    expect(await loggedId(request())).toBeUndefined();
    expect(await loggedId(request('not a trace'))).toBeUndefined();
  });

  it('has none if it names two', async () => {
    expect(callerOf(request(SENT)).trace).toEqual(parseTraceparent(SENT));
    expect(callerOf(request(SENT, SENT))).not.toHaveProperty('trace');
    expect(await loggedId(request(SENT, SENT))).toBeUndefined();
  });
});

describe('a message', () => {
  const trace = parseTraceparent(SENT) ?? '';
  const review = { decision: 'allow', analyst_id: null, notes: null, reviewed_at: '2026-11-14T13:00:00.000Z' } as const;
  const account_id = 'acc_1';
  const messages = (change: Change) => eventsOf(change).map((event) => messageOf(event, {}, 'sandbox'));

  it.each<[string, Change]>([
    ['a screening', { kind: 'screened', account_id, record: screened(1, { trace }) }],
    ['a blocked one', { kind: 'screened', account_id, record: screened(1, { trace, automated_decision: 'block' }) }],
    ['a review of it', { kind: 'reviewed', account_id, record: screened(1, { trace, review, review_count: 1 }) }],
    ['its case', { kind: 'case_opened', account_id, reviewCase: openCase(1, { trace }) }],
    [
      'what became of its case',
      {
        kind: 'case_resolved',
        account_id,
        reviewCase: openCase(1, { trace, status: 'approved', resolved_at: review.reviewed_at }),
      },
    ],
  ])('about %s has its trace, and keeps it in the table', (_what, change) => {
    for (const message of messages(change)) {
      expect(message.trace).toEqual(trace);
      expect(toMessage({ ...message, entity: 'message' })).toEqual(message);
    }
  });

  it('about anything else has none', () => {
    const [message] = messages({ kind: 'list_changed', account_id, listChange: listChange(1) });
    expect(message).not.toHaveProperty('trace');
    expect(messages({ kind: 'screened', account_id, record: screened(1) })[0]).not.toHaveProperty('trace');
  });
});
