import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { autoScaled, days } from '../../../bench/cost/auto-scaling';
import { billSummary, partsOf, pricesOf } from '../../../bench/cost/bill-summary';
import {
  ASSUMPTIONS,
  type BillLine,
  type Inventory,
  measured,
  monthlyBill,
  SECONDS_PER_MONTH,
  totalOf,
  type Workload,
} from '../../../bench/cost/monthly-bill';
import { inventoryOf } from '../../../bench/cost/stack-inventory';
import { FRAUD_DETECTOR_PREDICTION, type PriceName, priceOf, US_EAST_1 } from '../../../lib/prices';
import { failureText } from '../../../shared/cli/command-line';
import { METRIC_CATALOGUE } from '../../../shared/metrics/catalogue';

const page = readFileSync(join(__dirname, '../../../docs/cost.md'), 'utf8');

describe('monthly bill', () => {
  const load: Workload = {
    screenings: 1e6,
    caseRate: 0.01,
    resolvedRate: 1,
    idempotencyRate: 0.5,
    screeningsPerUser: 20,
    readsPerScreening: 0.1,
    webhooksPerScreening: 0.2,
    accounts: 1,
    screeningMs: 20,
    receiverMs: 100,
  };
  const stack: Inventory = {
    busyFunctions: 10,
    memoryGb: 1,
    deliveryMemoryGb: 0.5,
    polledQueues: 2,
    idleMetrics: 4,
    busyMetrics: 60,
    platformLogs: true,
    detailedApiMetrics: 50,
    dashboards: 5,
    alarmMetrics: 20,
    compositeAlarms: 3,
    secrets: 1,
    keys: 1,
    distributions: 1,
    scheduledRunsPerMonth: 8760,
    trainingRunsPerMonth: 0,
    trainingMemoryGb: 3,
    erasingMemoryGb: 0.5,
    relayBatchSize: 100,
    tallyBatchSize: 0,
    tallyWindowSeconds: 0,
  };
  const quantities = {
    ...measured,
    screeningWriteUnits: 5,
    firstScreeningWriteUnits: 2,
    linksOfFirstScreening: 4,
    claimWriteUnits: 1,
    caseOpenedWriteUnits: 13,
    caseResolvedWriteUnits: 27,
    deliveryWriteUnits: 4,
  };
  /** List prices, in an account that has used up what AWS gives it. */
  const LIST = { ...US_EAST_1, allowances: {} };
  const billOf = (change: Partial<Workload> = {}) => monthlyBill({ ...load, ...change }, quantities, stack, LIST);
  const lineOf = (price: PriceName, change: Partial<Workload> = {}) =>
    billOf(change).find((line) => line.price === price) ?? { quantity: Number.NaN, usd: Number.NaN };

  describe('the monthly bill', () => {
    it('counts as a person with a pencil would', () => {
      // Screenings, a tenth of reads, a list and a resolution for each of 10,000 cases.
      expect(lineOf('apiRequest').quantity).toBeCloseTo(1_120_000, 6);
      expect(lineOf('apiRequest').usd).toBeCloseTo(3.92, 9);
      // 5 each, 2 + 4 for each of 50,000 new users, half a claim each, 13 + 27 a case, 4 a webhook.
      expect(lineOf('tableWrite').quantity).toBeCloseTo(5e6 + 300_000 + 0.5e6 + 400_000 + 800_000, 3);
      expect(lineOf('tableWrite').usd).toBeCloseTo(7 * 0.625, 9);
    });

    it('has a line for every price, and says how each quantity comes about', () => {
      const lines = billOf();
      expect(new Set(lines.map(({ price }) => price))).toEqual(new Set(Object.keys(US_EAST_1)));
      expect(lines.filter(({ basis }) => basis.length < 5)).toEqual([]);
    });

    it.each(Object.entries({ ...US_EAST_1, FRAUD_DETECTOR_PREDICTION }))(
      'names the page of %s and the month in which it said so',
      (_name, { source, asOf, tiers, unit }) => {
        const [page = ''] = source.split(' ');
        const { hostname, pathname } = new URL(`https://${page}`);
        expect([hostname, /^\/[a-z0-9-]+\/pricing(\/[a-z-]+)?$/.test(pathname)]).toEqual(['aws.amazon.com', true]);
        expect(asOf).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
        expect(unit).not.toBe('');
        // From 0 on, without a gap, each tier cheaper than the one before.
        expect(tiers[0]?.from).toBe(0);
        const byQuantity = [...tiers].sort((a, b) => a.from - b.from);
        expect(tiers).toEqual(byQuantity);
        expect([...tiers].sort((a, b) => b.usd - a.usd)).toEqual(byQuantity);
      },
    );

    it('has the overview cost a batch, not a screening', () => {
      const writesOf = (change: Partial<Workload>, tally: Partial<Inventory>) =>
        monthlyBill({ ...load, ...change }, quantities, { ...stack, ...tally }, LIST).find(
          ({ price }) => price === 'tableWrite',
        )?.quantity ?? Number.NaN;
      const tally = { tallyBatchSize: 1000, tallyWindowSeconds: 10 };
      const added = (change: Partial<Workload>) => writesOf(change, tally) - writesOf(change, {});
      // A batch each ten seconds of 730 hours: 2 for its mark, 6 for the one account in it.
      expect(added({})).toBeCloseTo(262_800 * 8, 3);
      expect(added({ screenings: 10e6 })).toBeCloseTo(262_800 * 8, 3);
      // Batches of a thousand, past a hundred a second; three accounts in each.
      expect(added({ screenings: 1e9, accounts: 3 })).toBeCloseTo(1e6 * (2 + 3 * 6), 0);
    });

    it('of an idle stage has only what exists, what is scheduled, and polls of empty queues', () => {
      const used = billOf({ screenings: 0 }).filter(({ usd }) => usd > 0.01);
      expect(used.map(({ what, usd }) => [what, Number(usd.toFixed(3))])).toEqual([
        // Two queues, a poll every four seconds.
        ['requests', 0.526],
        ['custom metrics', 4 * 0.3],
        ['dashboards', 5 * 3],
        ['alarms', 20 * 0.1],
        ['composite alarms', 3 * 0.5],
        ['customer keys', 1],
        ['secrets', 0.4],
      ]);
    });

    it('takes off what AWS gives every account, and says the total without it', () => {
      const discounted = monthlyBill({ ...load, screenings: 5e6 }, quantities, stack, US_EAST_1);
      const off = (line: string) => discounted.find(({ what }) => what === line)?.usd;
      expect([off('custom metrics'), off('alarms')]).toEqual([50 * 0.3, 10 * 0.1]);
      const list = totalOf(billOf({ screenings: 5e6 }));
      expect(totalOf(discounted)).toBeLessThan(list - 10);
      expect(billSummary(discounted, 5e6, list)).toContain(`$${list.toFixed(2)}, without AWS’s monthly allowances`);
    });

    it('has every metric of the catalogue, once it receives values', () => {
      const metricsOf = (change: Partial<Workload>) =>
        billOf(change).find(({ what }) => what === 'custom metrics')?.quantity;
      expect([metricsOf({}), metricsOf({ screenings: 0 })]).toEqual([60, 4]);
    });

    it('drops Lambda’s own log lines when told to', () => {
      const quantityOf = (what: string, change: Partial<Inventory>) =>
        monthlyBill(load, quantities, { ...stack, ...change }, LIST).find((line) => line.what === what)?.quantity ?? 0;
      expect(quantityOf('function logs', { platformLogs: false })).toBeLessThan(quantityOf('function logs', {}) - 0.5);
    });

    it('has a walk through the table per erasure, but at most one every six hours', () => {
      const unitsOf = (erasures: number): number =>
        billOf({ screenings: 5e6, erasures }).find(({ what }) => what === 'erasure walks')?.quantity ?? 0;
      const [none, one, ten] = [0, 1, 10].map(unitsOf);
      expect([none, ten]).toEqual([0, expect.closeTo(10 * (one ?? 0), 3)]);
      expect(unitsOf(50_000)).toBeCloseTo((one ?? 0) * (730 / 6), 0);
    });

    it('of capacity by the hour has what is provisioned, used or not, and what auto scaling leaves free', () => {
      const provisioned = {
        ...{ leastWriteUnits: 14, leastReadUnits: 100, indexReadUnits: 12, alarmMetrics: 16, bulkReadsPerSecond: 90 },
      };
      const linesOf = (change: Partial<Workload>) =>
        monthlyBill({ ...load, ...change }, quantities, { ...stack, provisioned }, LIST);
      const quantityIn = (lines: readonly BillLine[], price: PriceName) =>
        lines.filter((line) => line.price === price).reduce((sum, { quantity }) => sum + quantity, 0);
      const [busy, idle] = [linesOf({ screenings: 50e6, erasures: 10 }), linesOf({ screenings: 0 })];
      const written = lineOf('tableWrite', { screenings: 50e6 }).quantity;
      expect(quantityIn(busy, 'writeCapacity')).toBeCloseTo(written / 3600 / ASSUMPTIONS.provisionedUtilization, 3);
      expect(quantityIn(idle, 'writeCapacity')).toBe(14 * 730);
      for (const lines of [busy, idle]) {
        expect([quantityIn(lines, 'tableWrite'), quantityIn(lines, 'tableRead')]).toEqual([0, 0]);
        expect(quantityIn(lines, 'alarmMetric')).toBe(36);
      }
      expect(quantityIn(idle, 'readCapacity')).toBe(112 * 730);
      // A walk takes time instead, and more capacity for as long.
      const onDemand = billOf({ screenings: 50e6, erasures: 10 });
      const walkSeconds = (onDemand.find(({ what }) => what === 'erasure walks')?.quantity ?? 0) / 90;
      expect(quantityIn(busy, 'lambdaGbSecond') - quantityIn(onDemand, 'lambdaGbSecond')).toBeCloseTo(
        walkSeconds * 0.5,
        3,
      );
      const live = quantityIn(onDemand, 'tableRead') - 90 * walkSeconds;
      const more = (live / SECONDS_PER_MONTH + 90) / 0.7 - 100;
      expect(quantityIn(busy, 'readCapacity')).toBeCloseTo(112 * 730 + (more * walkSeconds) / 3600, 3);
    });

    it('has training read all labels, and walks read what is stored without what DynamoDB adds', () => {
      const readsOf = (trainingRunsPerMonth: number) =>
        monthlyBill(load, quantities, { ...stack, trainingRunsPerMonth }, LIST).find(({ what }) => what === 'reads')
          ?.quantity ?? 0;
      // Of a million screenings: one in 64, and 10,000 resolved cases, for 180 days.
      const labels = (1e6 / 64 + 10_000) * ASSUMPTIONS.labelMonths;
      expect(readsOf(120) - readsOf(0)).toBeCloseTo((120 * 0.5 * labels * measured.labelItemBytes) / 4096, 3);
      const [walk] = billOf({ erasures: 1 }).filter(({ what }) => what === 'erasure walks');
      const [stored] = billOf().filter(({ what }) => what === 'point-in-time recovery');
      expect((walk?.quantity ?? 0) * 4096).toBeLessThan(
        0.9 * ASSUMPTIONS.walkUnitsPerRead * 1e9 * (stored?.quantity ?? 0),
      );
    });

    it('never falls when anything grows', () => {
      const share = fc.double({ min: 0, max: 1, noNaN: true });
      const some = fc.record({
        screenings: fc.integer({ min: 0, max: 1e11 }),
        caseRate: share,
        resolvedRate: share,
        idempotencyRate: share,
        readsPerScreening: fc.double({ min: 0, max: 5, noNaN: true }),
        webhooksPerScreening: fc.double({ min: 0, max: 5, noNaN: true }),
        accounts: fc.integer({ min: 0, max: 10_000 }),
      });
      const names = fc.constantFrom('caseRate', 'idempotencyRate', 'readsPerScreening', 'accounts');
      fc.assert(
        fc.property(some, names, (change, name) => {
          const total = totalOf(billOf(change));
          expect(Number.isFinite(total)).toBe(true);
          const grown = totalOf(
            billOf({ ...change, [name]: Math.min(change[name] * 1.5, name.endsWith('Rate') ? 1 : 1e9) }),
          );
          expect(grown).toBeGreaterThanOrEqual(total * (1 - 1e-12));
        }),
      );
    });
  });

  describe('the end of the bill', () => {
    it('draws its parts, largest first, with the total and the price of Amazon Fraud Detector', () => {
      const lines = billOf({ screenings: 5e6 });
      const text = billSummary(lines, 5e6);
      const parts = partsOf(lines);
      expect(parts.map(([, usd]) => usd)).toEqual([
        ...parts
          .slice(0, -1)
          .map(([, usd]) => usd)
          .sort((a, b) => b - a),
        parts.at(-1)?.[1],
      ]);
      expect(parts.reduce((sum, [, usd]) => sum + usd, 0)).toBeCloseTo(totalOf(lines), 6);
      expect(text).toMatch(new RegExp(`^${parts[0]?.[0]} +█{40} +\\$`, 'm'));
      expect(text).toContain(`total          $${totalOf(lines).toFixed(2)} per month`);
      expect(text).toMatch(/\$0\.03 per prediction: \$150,000\.00, \d+ times as much/);
      expect(billSummary(billOf({ screenings: 0 }), 0)).not.toContain('per million');
    });
  });

  describe('auto scaling', () => {
    const quiet = days(14, 1);
    /** A sale on the last evening, at the busiest hour. */
    const sale = (times: number) =>
      quiet.map((units, minute) => (minute >= 13 * 1440 + 1200 && minute < 13 * 1440 + 1260 ? times * units : units));

    it('leaves two fifths free, pays from three tenths on, and has room for a sale of twice as much', () => {
      const { utilization, refused } = autoScaled(quiet);
      const breakEven = (US_EAST_1.writeCapacity.tiers[0]?.usd ?? 0) / 3600 / (US_EAST_1.tableWrite.tiers[0]?.usd ?? 0);
      expect(page).toContain(`**${Math.round(100 * utilization)}%**`);
      expect(page).toContain(`from an average of ${Math.round(100 * breakEven)}%`);
      expect([refused, autoScaled(sale(2)).refused]).toEqual([0, 0]);
    });

    it('refuses part of what comes without warning and is much more', () => {
      const [six, twelve] = [autoScaled(sale(6)).refused, autoScaled(sale(12)).refused];
      expect(six).toBeGreaterThan(0);
      expect(twelve).toBeGreaterThan(2 * six);
      // Provisioning more for the same leaves more room.
      const roomy = autoScaled(sale(6), 0.4);
      expect([roomy.refused < six / 2, roomy.utilization < 0.6 * autoScaled(sale(6)).utilization]).toEqual([
        true,
        true,
      ]);
    });
  });

  describe('a price with tiers', () => {
    it('charges each part at its own tier', () => {
      expect(priceOf(US_EAST_1.apiRequest, 333e6)).toBeCloseTo(333 * 3.5, 6);
      expect(priceOf(US_EAST_1.apiRequest, 334e6)).toBeCloseTo(333 * 3.5 + 2.8, 6);
      expect(priceOf(US_EAST_1.apiRequest, 30e9)).toBeCloseTo(333 * 3.5 + 667 * 2.8 + 19_000 * 2.38 + 10_000 * 1.51, 3);
    });
  });

  describe('the inventory of a stack', () => {
    it('counts alarms by the metrics they watch, methods without the 405s, and runs of schedules', () => {
      const stat = { MetricStat: { Metric: {} } };
      const resources = [
        { Type: 'AWS::Lambda::Function', Properties: { MemorySize: 512, Description: 'x: deliver-webhook' } },
        { Type: 'AWS::Lambda::Function', Properties: { MemorySize: 1024, Description: 'x: lists' } },
        { Type: 'AWS::ApiGateway::Method', Properties: { HttpMethod: 'ANY' } },
        { Type: 'AWS::ApiGateway::Method', Properties: { HttpMethod: 'GET' } },
        { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Errors' } },
        { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: [stat, stat, { Expression: 'a/b' }] } },
        { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'rate(5 minutes)' } },
        { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'rate(1 day)' } },
        { Type: 'AWS::Lambda::EventSourceMapping', Properties: { StartingPosition: 'LATEST', BatchSize: 50 } },
        { Type: 'AWS::Lambda::EventSourceMapping', Properties: { BatchSize: 10 } },
        {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: {
            StartingPosition: 'LATEST',
            BatchSize: 900,
            MaximumBatchingWindowInSeconds: 10,
            TumblingWindowInSeconds: 60,
          },
        },
        { Type: 'AWS::ApiGateway::Stage', Properties: { MethodSettings: [{ MetricsEnabled: true }] } },
      ];
      expect(inventoryOf(resources)).toMatchObject({
        busyFunctions: 1,
        // Of the larger half: one function with more does not make all of them more expensive.
        memoryGb: 1,
        deliveryMemoryGb: 0.5,
        polledQueues: 1,
        platformLogs: false,
        detailedApiMetrics: 5,
        alarmMetrics: 3,
        scheduledRunsPerMonth: 8760 + 730 / 24,
        relayBatchSize: 50,
        tallyBatchSize: 900,
        tallyWindowSeconds: 10,
        secrets: 0,
      });
    });
  });

  describe('the metrics in the inventory', () => {
    const silent = {
      Type: 'AWS::Lambda::Function',
      Properties: { Environment: { Variables: { SCHEDULED_METRICS: 'off' } } },
    };
    const talking = { Type: 'AWS::Lambda::Function', Properties: { LoggingConfig: { LogFormat: 'JSON' } } };

    const training = {
      Type: 'AWS::Events::Rule',
      Properties: { ScheduleExpression: 'rate(6 hours)', Targets: [{ Arn: { Ref: 'TrainModelLive' } }] },
    };

    it('are all that are usually sent, by the hour, and none of a quiet stage whose sweeps send none', () => {
      const [full, essential] = [inventoryOf([talking, training]), inventoryOf([talking, training, silent])];
      const usual = Object.values(METRIC_CATALOGUE).filter(({ sparse }) => sparse !== 'rare');
      const trained = usual.filter(({ emitters }) => emitters[0] === 'train-model').length;
      // Training is heard of in four of a day's 24 hours.
      expect(full.busyMetrics).toBeCloseTo(usual.length - trained + trained / 6, 9);
      expect(usual.length).toBeLessThan(Object.keys(METRIC_CATALOGUE).length - 10);
      expect([full.idleMetrics > 5, essential.idleMetrics, essential.busyMetrics < full.busyMetrics]).toEqual([
        true,
        0,
        true,
      ]);
      expect(full.platformLogs).toBe(true);
    });
  });
});

describe('prices of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prices-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function fileWith(text: string): string {
    const file = join(folder, 'prices.json');
    writeFileSync(file, text);
    return file;
  }

  const failureOf = (file: string): string | undefined => {
    try {
      pricesOf(file);
    } catch (error) {
      return failureText(error);
    }
    return 'nothing failed';
  };

  it('replaces the prices that a file names, and keeps the others', () => {
    const file = fileWith('{"tableWrite": 7.1e-7}');
    const { tableWrite, ...others } = pricesOf(file);
    expect(tableWrite).toMatchObject({ tiers: [{ from: 0, usd: 7.1e-7 }], source: file });
    expect({ tableWrite: US_EAST_1.tableWrite, ...others }).toEqual(US_EAST_1);
    expect(pricesOf(undefined)).toBe(US_EAST_1);
  });

  it('says in a sentence what is wrong with a file', () => {
    expect(failureOf('/nowhere/prices.json')).toBe(
      'No such file: /nowhere/prices.json. Check the path; --help shows an example.',
    );
    expect(failureOf(fileWith('nonsense'))).toContain('is not JSON');
    expect(failureOf(fileWith('{"gold": 1}'))).toContain('unknown price gold');
    expect(failureOf(fileWith('{"tableWrite": "free"}'))).toContain('tableWrite must be a price in dollars');
  });
});
