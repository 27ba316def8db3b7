import fc from 'fast-check';
import { instant } from '../../../shared/schemas/text';

const accepts = (text: string): boolean => instant.safeParse(text).success;

describe('an instant in a request', () => {
  it.each(['2026-02-28', '2028-02-29', '2026-12-31T23:59:59.999999999Z', '2026-11-14T00:00+00:00'])('%s', (text) => {
    expect(accepts(text)).toBe(true);
  });

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-11-00',
    '2026-11-14T24:00:00Z',
    '2026-11-14T10:60:00Z',
    '2026-11-14T10:00:00+01:00',
    '2026-11-14T10:00:00',
    '2026-11-14\n',
  ])('%j is not one', (text) => {
    expect(accepts(text)).toBe(false);
  });

  it('is exactly what the calendar has, of all dates that can be written', () => {
    const part = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
    const years = fc.integer({ min: 1, max: 9999 }).map((year) => String(year).padStart(4, '0'));
    fc.assert(
      fc.property(years, part(13), part(32), (year, month, day) => {
        const days = new Date(0);
        days.setUTCFullYear(Number(year), Number(month), 0);
        const exists =
          Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days.getUTCDate();
        expect(accepts(`${year}-${month}-${day}`)).toBe(exists);
      }),
      { numRuns: 2_000 },
    );
  });
});
