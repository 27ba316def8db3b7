import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readPolicyFile } from '../../../../shared/cli/policy-file';
import { declarationsOf, declareFile } from '../../../../training/afd/declare-file';
import { readMapping } from '../../../../training/import/import-history';
import { readAfdCsv } from '../../../../training/import/read-afd-csv';
import type { BadLine } from '../../../../training/replay/history';
import { temporaryFolder } from '../../../support/machine/temporary-folder';

const folder = temporaryFolder('afd');
const write = (name: string, bytes: string | Buffer) => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
};
const read = async (file: string, mapping?: object) => {
  const bad: BadLine[] = [];
  const known = readMapping(mapping && write('mapping.json', JSON.stringify(mapping)));
  const { history, table } = await readAfdCsv(file, known, (row) => bad.push(row));
  return { lines: [...history.lines()].map(([, line]) => line), bad, table };
};

const HEADER =
  'EVENT_LABEL,EVENT_TIMESTAMP,LABEL_TIMESTAMP,EVENT_ID,ENTITY_TYPE,ENTITY_ID,card_bin,billing_city,billing_country,ip_address,customer_email,product_category,order_price,payment_currency,merchant,basket_size';
const SHOP = `${HEADER}
0,2022-12-24T15:53:30Z,2022-12-30T15:53:30Z,1,customer,c-2,304027,Ulm,DE,91.0.0.1,ann@mail.example,shoes,7.53,EUR,Shop A,3
1,2022-12-02T06:58:04Z,2022-12-12T06:58:04Z,2,customer,c-1,601104,"Bonn, am Rhein",Germany,not an address,bob@mail.example,toys,"1,816.33",usd,Shop B,
,2022-12-03T06:58:04Z,,3,customer,c-1,601104,Bonn,DE,91.0.0.2,bob@mail.example,toys,9,USD,Shop B,4
maybe,2022-12-03T06:58:04Z,,4,customer,c-1,,,,,,,9,USD,,
0,,,5,customer,c-1,,,,,,,9,USD,,
0,2022-12-03T06:58:04Z,,6,customer,c-1,,,,,,,much,USD,,
0,2022-12-03T06:58:04Z,,7,customer,c-1,,,,,,,5,ZWD,,
0,2022-12-03T06:58:04Z,,8,customer,c-1
`;

describe("Amazon Fraud Detector's CSV", () => {
  it('declares itself: what all values of a variable are, and an event type that is not built in', async () => {
    const claims = write(
      'Claims.csv',
      `EVENT_TIMESTAMP,EVENT_LABEL,ENTITY_ID,num_injuries,police_report,incident_type,card_bin,phone_number,notes
2022-10-15T08:42:19Z,fraud,c-1,3.0,true,collision,411111,+49 30 901820,
2022-10-16T08:42:19Z,legit,c-2,,false,7,411112,+49 30 901821,
`,
    );
    const out = join(folder, 'policy.yaml');
    await declareFile(claims, readMapping(undefined), { out });
    expect(await readPolicyFile(readFileSync(out, 'utf8'))).toHaveProperty('policy');
    expect(await declarationsOf(claims, readMapping(undefined))).toEqual({
      attributes: {
        num_injuries: { type: 'number' },
        police_report: { type: 'boolean' },
        incident_type: { type: 'text' },
        card_bin: { type: 'text', entity: true },
        phone: { type: 'phone', entity: true },
        notes: { type: 'text' },
      },
      event_types: { claims: { amount: 'none' } },
    });
    expect(await declarationsOf(claims, readMapping(undefined), 'sample_registration')).not.toHaveProperty(
      'event_types',
    );
  });

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['bars', '|'],
  ])('with %s between its columns, in another order, is read like one with commas', async (name, delimiter) => {
    const rows = [
      ['order_price', 'user_agent', 'ENTITY_ID', 'EVENT_LABEL', '"Event_Timestamp"'],
      ['7.5', 'Mozilla (X11, Linux)', 'c-1', 'Fraud', '2022-12-24T15:53:30Z'],
      ['9', '"two\nlines"', 'c-2', 'LEGIT', '2022-12-25T15:53:30Z'],
    ];
    const text = `\uFEFF${rows.map((row) => row.join(delimiter)).join('\r\n')}\r\n`;
    const { lines, bad } = await read(write(`${name}.csv.gz`, gzipSync(text)));
    expect(bad).toEqual([]);
    expect(lines.map(({ label, subject }) => [subject.user_id, subject.amount, label])).toEqual([
      ['c-1', 7.5, 1],
      ['c-2', 9, 0],
    ]);
  });

  it.each([
    ['2022-12-24T15:53:30Z', '2022-12-24T15:53:30.000Z'],
    ['2022-12-24T16:53:30+01:00', '2022-12-24T15:53:30.000Z'],
    ['2022/12/24 15:53:30', '2022-12-24T15:53:30.000Z'],
    ['2022-12-24 15:53:30', '2022-12-24T15:53:30.000Z'],
    ['12/24/2022 15:53:30', '2022-12-24T15:53:30.000Z'],
    ['12/24/22 3:53:30 PM', '2022-12-24T15:53:30.000Z'],
    ['12/24/2022 12:05 AM', '2022-12-24T00:05:00.000Z'],
    ['2022/12/24', '2022-12-24T00:00:00.000Z'],
    ['1671897210', '2022-12-24T15:53:30.000Z'],
    ['1671897210000', '2022-12-24T15:53:30.000Z'],
  ])('reads the time %s as UTC, wherever this machine is', async (given, expected) => {
    const text = `EVENT_TIMESTAMP,LABEL_TIMESTAMP,ENTITY_ID,order_price\n${given},${given},c-1,5\n`;
    const { lines } = await read(write('times.csv', text));
    expect(lines.map(({ at_ms }) => new Date(at_ms).toISOString())).toEqual([expected]);
  });

  it.each(['24/12/2022 15:53:30', '2022/02/31', 'yesterday', '12/24/2022 25:00'])(
    'does not guess at the time %s',
    async (given) => {
      const { lines, bad } = await read(
        write('bad-times.csv', `EVENT_TIMESTAMP,ENTITY_ID,order_price\n${given},c-1,5\n`),
      );
      expect([lines, bad]).toEqual([[], [{ line: 2, reason: expect.stringContaining(`"${given}" is not`) }]]);
    },
  );

  it.each([
    ['shop.csv', Buffer.from(SHOP)],
    ['shop.csv.gz', gzipSync(SHOP)],
    ['windows.csv', Buffer.from(`\uFEFF${SHOP.replaceAll('\n', '\r\n')}`)],
  ])('%s is read as it is, in the order of time', async (name, bytes) => {
    const { lines } = await read(write(name, bytes));
    expect(lines.map(({ label, label_known_at_ms }) => [label, new Date(label_known_at_ms).toISOString()])).toEqual([
      [1, '2022-12-12T06:58:04.000Z'],
      [undefined, '2022-12-10T06:58:04.000Z'],
      [0, '2022-12-10T06:58:04.000Z'],
      [0, '2022-12-30T15:53:30.000Z'],
    ]);
    expect(lines[3]?.subject).toEqual({
      subject_type: 'transaction',
      action: 'transaction',
      outcome: 'succeeded',
      user_id: 'c-2',
      amount: 7.53,
      currency: 'EUR',
      ip_address: '91.0.0.1',
      billing_address: { city: 'Ulm', country: 'DE' },
      custom_attributes: {
        card_bin: '304027',
        email: 'ann@mail.example',
        category: 'shoes',
        merchant_id: 'Shop A',
        basket_size: '3',
      },
    });
  });

  it('keeps as an attribute what the API would refuse in its own place', async () => {
    const { lines } = await read(write('shop.csv', SHOP));
    expect(lines[0]?.subject).toMatchObject({
      amount: 1816.33,
      currency: 'USD',
      billing_address: { city: 'Bonn, am Rhein' },
      custom_attributes: { billing_country: 'Germany', ip_address: 'not an address' },
    });
    expect(lines[0]?.subject.ip_address).toBeUndefined();
  });

  it('tells bad rows by line and reason, and goes on', async () => {
    const { bad } = await read(write('shop.csv', SHOP));
    expect(bad.map(({ line }) => line)).toEqual([5, 6, 7, 9]);
    const reasons = bad.map(({ reason }) => reason);
    expect(reasons[0]).toContain('the label "maybe" is neither fraud nor legitimate');
    expect(reasons[1]).toContain('EVENT_TIMESTAMP is missing');
    expect(reasons[2]).toContain('the amount "much" is not a number');
    expect(reasons[3]).toMatch(/columns/i);
  });

  it('keeps a row whose currency has no rate, and names the currency', async () => {
    const { lines, table } = await read(write('shop.csv', SHOP));
    expect(lines[2]?.subject).toMatchObject({ amount: 5, currency: 'ZWD' });
    expect(table.notes()).toEqual([
      '4 rows have an amount and are read as transactions.',
      '1 rows are in ZWD, which has no rate: their amounts are not compared in dollars.',
    ]);
    expect(table.columns().find(({ column }) => column === 'payment_currency')).toMatchObject({
      became: 'currency',
      why: 'by its name; no rate for ZWD (1)',
    });
  });

  it('says what each column became, how many values it has and why', async () => {
    const { table } = await read(write('shop.csv', SHOP));
    const columns = Object.fromEntries(table.columns().map(({ column, ...use }) => [column, use]));
    expect(Object.keys(columns)).toEqual(HEADER.split(','));
    expect(columns).toMatchObject({
      EVENT_LABEL: { became: 'label', values: 3 },
      ENTITY_ID: { became: 'user_id', values: 4 },
      EVENT_ID: { became: '(not used)' },
      card_bin: { became: 'custom_attributes.card_bin', values: 3, why: 'by its name' },
      ip_address: {
        became: 'ip_address',
        why: 'by its name; 1 values that do not fit became the attribute ip_address',
      },
      basket_size: { became: 'custom_attributes.basket_size', values: 2, why: 'no field of this name' },
    });
    const learnt = table.columns(new Set(['attributes.card_bin', 'attributes.email.domain']));
    const whyOf = (name: string) => learnt.find(({ column }) => column === name)?.why;
    expect(whyOf('customer_email')).toBe('by its name');
    expect(whyOf('basket_size')).toContain('beyond the 320 bytes');
  });

  it('without ENTITY_ID takes the e-mail address as the user, and says so', async () => {
    const text =
      'EVENT_TIMESTAMP,EVENT_LABEL,email_address,ip_address\n2022-01-01T00:00:00Z,legit,a@mail.example,91.0.0.1\n2022-01-02T00:00:00Z,fraud,,91.0.0.2\n2022-01-03T00:00:00Z,fraud,,\n';
    const { lines, bad, table } = await read(write('registrations.csv', text));
    expect(bad).toEqual([]);
    expect(lines.map(({ subject }) => subject.user_id)).toEqual(['a@mail.example', '91.0.0.2', 'row-3']);
    expect(table.notes()[0]).toBe(
      'There is no column ENTITY_ID: 1 rows take email_address as the user. Another choice: map a column to user_id.',
    );
    expect(table.notes()).toContain(
      '3 rows have no amount and are read as signup events. If they are something else, say so: "kind" in the mapping.',
    );
  });

  it('keeps 50 of 70 variables, those that it knows among them, and names the others', async () => {
    const names = Array.from({ length: 69 }, (_, i) => `v${i}`);
    const text = `EVENT_TIMESTAMP,EVENT_LABEL,ENTITY_ID,${names.join(',')},customer_email\n2022-01-01T00:00:00Z,1,c-1,${names.join(',')},a@mail.example\n`;
    const { lines, bad, table } = await read(write('wide.csv', text));
    expect(bad).toEqual([]);
    const kept = Object.keys(lines[0]?.subject.custom_attributes ?? {});
    expect(kept).toHaveLength(50);
    expect(kept).toContain('email');
    const dropped = table.columns().filter(({ became }) => became === '(not used)');
    expect(dropped).toHaveLength(20);
    expect(dropped[0]).toMatchObject({ column: 'v49', why: expect.stringContaining('more than 50 attributes') });
  });

  it('follows a mapping: other columns, other labels, another kind', async () => {
    const text = 'EVENT_TIMESTAMP,EVENT_LABEL,ENTITY_ID,addr,secret\n2022-01-01T00:00:00Z,BAD,r-1,91.0.0.9,x\n';
    const { lines, bad } = await read(write('registrations.csv', text), {
      kind: 'signup',
      fraud_labels: ['bad'],
      columns: { addr: 'ip_address', secret: 'ignore' },
    });
    expect(bad).toEqual([]);
    expect(lines).toMatchObject([
      {
        kind: 'signup',
        label: 1,
        subject: {
          subject_type: 'event',
          action: 'signup',
          user_id: 'r-1',
          ip_address: '91.0.0.9',
          custom_attributes: {},
        },
      },
    ]);
  });

  it('without an amount is taken for signups, with all that is known', async () => {
    const text = 'EVENT_TIMESTAMP,EVENT_LABEL,ENTITY_ID,billing_city\n2022-01-01T00:00:00Z,legit,r-1,Ulm\n';
    const { lines } = await read(write('signups.csv', text));
    expect(lines).toMatchObject([
      { kind: 'signup', label: 0, subject: { custom_attributes: { billing_city: 'Ulm' } } },
    ]);
  });

  it('is refused when it is something else, and so is a mapping', async () => {
    await expect(read(write('other.csv', 'a,b\n1,2\n'))).rejects.toThrow('no column EVENT_TIMESTAMP; found a, b');
    await expect(read(write('shop.csv', SHOP), { columns: { addr: 'nowhere' } })).rejects.toThrow(
      'columns.addr is not a field of the body',
    );
    await expect(read(write('shop.csv', SHOP), { colums: {} })).rejects.toThrow('mapping.json');
  });
});
