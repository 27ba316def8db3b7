import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runbookAt } from '../../lib/deployment-options';
import { ofType, type Properties, type Resource, resourcesOf } from '../support/template';

const RUNBOOK = readFileSync(join(__dirname, '../../docs/runbook.md'), 'utf8');
/** `## Name {#anchor}` is not Markdown everywhere: headings of alarms are the alarms' ids, so anchors follow. */
const sections = RUNBOOK.split(/^## /m)
  .slice(1)
  .map((text) => ({ id: text.slice(0, text.indexOf('\n')).trim(), text }));

/** The headings that help at 3 a.m., in this order. */
const PARTS = ['**Symptom.**', '**Likely causes.**', '**Look at.**', '**Do.**', '**Verify.**'];

describe.each(['sandbox', 'production'])('alarms of %s', (stage) => {
  const resources = resourcesOf(`FraudScreening-${stage}`);
  const composites = ofType(resources, 'AWS::CloudWatch::CompositeAlarm');
  const alarms = [...ofType(resources, 'AWS::CloudWatch::Alarm'), ...composites];
  const sectionOf = ({ Properties: { AlarmDescription } }: Resource): string | undefined =>
    /docs\/runbook\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1];
  const named = (id: string): Properties =>
    alarms.find(({ Properties: { AlarmName } }) => AlarmName === `fraud-screening-${stage}-${id}`)?.Properties;

  it('each link to their section of the runbook, and each section has its alarm', () => {
    const linked = new Set(alarms.map(sectionOf));
    // Those of the warehouse, which is an option, are in the matrix of options.
    const usual = sections.map(({ id }) => id).filter((id) => !id.startsWith('warehouse-'));
    expect([...linked].sort()).toEqual(usual.sort());
  });

  it('tell the topic when they begin and end, unless they are part of another', () => {
    for (const { Properties: alarm } of alarms) {
      const isPart = alarm.AlarmDescription.startsWith('Part of another alarm:');
      const told = [alarm.AlarmActions ?? [], alarm.OKActions ?? []].map((actions) => actions.length);
      expect([alarm.AlarmName, told]).toEqual([alarm.AlarmName, isPart ? [0, 0] : [1, 1]]);
      expect(alarm.AlarmDescription).toMatch(/^(Act now|Act today|Part of another alarm): .+\. Runbook: /);
    }
  });

  it('part of another: there is that other', () => {
    const rules = JSON.stringify(composites.map(({ Properties: { AlarmRule } }) => AlarmRule));
    const parts = alarms.filter(({ Properties: p }) => p.AlarmDescription.startsWith('Part of'));
    expect(parts.filter(({ id }) => !rules.includes(`"${id}"`)).map(({ id }) => id)).toEqual([]);
  });

  it.each([
    ['availability-fast-burn', { '1h': 3_600, '5m': 300 }, 1.44],
    ['availability-slow-burn', { '6h': 21_600, '30m': 1_800 }, 0.6],
  ])('%s needs both windows (%j), each above %d %%', (id, windows, percent) => {
    for (const [window, seconds] of Object.entries(windows)) {
      const part = named(`${id}-${window}`);
      expect(part.Threshold).toBeCloseTo(percent, 9);
      const periods = part.Metrics.flatMap(({ MetricStat }: Properties) => (MetricStat ? [MetricStat.Period] : []));
      expect(periods).toEqual([seconds, seconds]);
    }
    const rule = JSON.stringify(named(id).AlarmRule);
    expect(rule).toContain(' AND ALARM(');
    expect(rule).not.toContain(' OR ');
  });

  it('use statistics that alarms accept: percentile ranks by value, but no trimmed counts by value', () => {
    const statistics = alarms.flatMap(({ Properties: { Metrics, Statistic, ExtendedStatistic } }) =>
      Metrics
        ? Metrics.flatMap(({ MetricStat }: Properties) => MetricStat?.Stat ?? [])
        : (Statistic ?? ExtendedStatistic ?? []),
    );
    const accepted = /^(Sum|SampleCount|Average|Minimum|Maximum|p\d+|PR\(\d*\.?\d*:\d*\.?\d*\))$/;
    expect(statistics).toContain('PR(4.5:)');
    expect(statistics.filter((name: string) => !accepted.test(name))).toEqual([]);
  });

  it('a sweep that has stopped is noticed: its alarm tells of silence, and no other does', () => {
    const told = alarms.filter(({ Properties: p }) => p.InsufficientDataActions?.length > 0);
    expect(told.map(({ Properties: p }) => [p.AlarmName, p.TreatMissingData])).toEqual(
      ['training-silent', 'case-backlog', 'webhooks-late'].map((id) => [`fraud-screening-${stage}-${id}`, 'missing']),
    );
  });

  it('are not red from their creation on: only parts of others take silence for a breach', () => {
    const red = alarms.filter(({ Properties: p }) => p.TreatMissingData === 'breaching');
    expect(red.map(({ Properties: p }) => p.AlarmName)).toEqual([`fraud-screening-${stage}-no-requests`]);
    for (const { Properties: p } of red) expect(p.AlarmDescription).toMatch(/^Part of another alarm:/);
  });

  it('wake somebody or wait for the morning, over topics of their own', () => {
    const topicOf = ({ Properties: p }: Resource): string => p.AlarmActions[0].Ref;
    const telling = alarms.filter(({ Properties: p }) => p.AlarmActions?.length > 0);
    for (const alarm of telling) {
      const isPage = alarm.Properties.AlarmDescription.startsWith('Act now:');
      expect([alarm.id, topicOf(alarm)]).toEqual([alarm.id, expect.stringContaining(isPage ? 'Pages' : 'Tickets')]);
      const { AlarmActions, OKActions, InsufficientDataActions = AlarmActions } = alarm.Properties;
      expect([OKActions, InsufficientDataActions]).toEqual([AlarmActions, AlarmActions]);
    }
  });

  it.each([
    ['nobody-gets-through', ['busy', 'all-refused']],
    ['traffic-stopped', ['busy', 'no-requests']],
  ])('%s pages only where there was traffic: a stranger with bad keys wakes nobody', (id, parts) => {
    const rule = JSON.stringify(named(id).AlarmRule);
    expect(rule).toContain(' AND ALARM(');
    const ids = parts.map((part) => alarms.find(({ Properties: p }) => p === named(part))?.id);
    for (const part of ids) expect(rule).toContain(`"${part}"`);
    expect(named(id).AlarmDescription).toMatch(/^Act now: /);
  });

  it('a share of failures needs a minimum of traffic', () => {
    const shares = alarms.flatMap(({ Properties: p }) =>
      (p.Metrics ?? []).flatMap(({ Expression }: Properties) =>
        Expression?.includes('/ requests') ? [Expression] : [],
      ),
    );
    expect(shares).toHaveLength(5);
    for (const expression of shares) expect(expression).toMatch(/^IF\((?:errors >= 3 AND )?requests >= \d+/);
  });

  it('go to topics that are encrypted with a key that CloudWatch may use, over TLS only', () => {
    const topics = ofType(resources, 'AWS::SNS::Topic');
    expect(topics.map(({ id }) => id.replace(/^MonitoringAlarms|[0-9A-F]{8}$/g, ''))).toEqual(['Pages', 'Tickets']);
    const [topic] = topics;
    const key = resources.find(({ id }) => id === topic?.Properties.KmsMasterKeyId['Fn::GetAtt'][0]);
    const account = { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } };
    const lets = (actions: unknown) =>
      expect.objectContaining({
        Effect: 'Allow',
        Action: actions,
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: account },
      });
    expect(key?.Properties.EnableKeyRotation).toBe(true);
    expect(key?.Properties.KeyPolicy.Statement).toContainEqual(lets(['kms:Decrypt', 'kms:GenerateDataKey*']));
    // $1 per month for ever, were it kept.
    expect(key?.DeletionPolicy).toBe('Delete');
    const policies = ofType(resources, 'AWS::SNS::TopicPolicy');
    expect(policies).toHaveLength(2);
    for (const policy of policies) {
      expect(policy.Properties.PolicyDocument.Statement).toContainEqual(lets('sns:Publish'));
      expect(JSON.stringify(policy.Properties)).toContain('aws:SecureTransport');
    }
  });
});

describe('the runbook', () => {
  it.each([
    ['https://github.com/acme/fraud.git', 'https://github.com/acme/fraud/blob/HEAD/docs/runbook.md'],
    ['https://user:secret@github.com/acme/fraud', 'https://github.com/acme/fraud/blob/HEAD/docs/runbook.md'],
    ['git@gitlab.acme.example:risk/fraud.git\n', 'https://gitlab.acme.example/risk/fraud/-/blob/HEAD/docs/runbook.md'],
    ['/srv/git/fraud', 'docs/runbook.md'],
    ['', 'docs/runbook.md'],
  ])('is linked where a checkout of %s comes from, without its credentials', (remote, address) => {
    expect(runbookAt(remote)).toBe(address);
  });

  it.each(sections.map(({ id, text }) => [id, text]))('%s says what to look at, do and verify', (_id, text) => {
    const positions = PARTS.map((part) => text.indexOf(part));
    expect(positions.every((position) => position >= 0)).toBe(true);
    expect([...positions].sort((a, b) => a - b)).toEqual(positions);
  });
});
