/** One line of a range file: inclusive bounds, and what the source says about them. */
export interface IpRow<T> {
  readonly first: bigint;
  readonly last: bigint;
  readonly value: T;
}

/** The rows of `first,last,country`. */
export function readCountryCsv(text: string): IpRow<string>[] {
  return rows(text, (rest) => {
    if (!/^[A-Z]{2}$/.test(rest)) throw new Error(`not a country code: ${rest}`);
    return rest;
  });
}

/** The rows of `first,last,asn,organisation`; each organisation is stored once, in `names`. */
export function readAsnCsv(text: string, names: Map<number, string>): IpRow<number>[] {
  return rows(text, (rest) => {
    const comma = rest.indexOf(',');
    const asn = Number(rest.slice(0, comma));
    if (!Number.isInteger(asn)) throw new Error(`not an AS number: ${rest}`);
    if (!names.has(asn)) names.set(asn, unquote(rest.slice(comma + 1)));
    return asn;
  });
}

/** The bounds are digits only, so the first two commas are separators whatever the organisation's name contains. */
function rows<T>(text: string, parse: (rest: string) => T): IpRow<T>[] {
  const found: IpRow<T>[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const one = line.indexOf(',');
    const two = line.indexOf(',', one + 1);
    const first = BigInt(line.slice(0, one));
    const last = BigInt(line.slice(one + 1, two));
    const previous = found.at(-1);
    if (last < first || (previous !== undefined && first < previous.first)) {
      throw new Error(`range out of order: ${line}`);
    }
    found.push({ first, last, value: parse(line.slice(two + 1).trimEnd()) });
  }
  return found;
}

const unquote = (field: string): string => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
