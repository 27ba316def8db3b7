/*
 * The compiled table, little-endian, every section on a 4-byte boundary:
 *
 *   header     14 × u32   magic, then the offsets of the sections below, then the end of the file
 *   countries  2 ASCII letters each; number 0 is "unknown" and is not stored
 *   records    u32 each   asn (22 bits) · network class (2) · country number (8), most frequent first
 *   v4 blocks  u32 start, u32 offset into v4 ranges
 *   v4 ranges  bytes      length code, record number (varint); they cover the whole space, gaps too
 *   v6 blocks  u32 start high, u32 start low, u32 offset into v6 ranges
 *   v6 ranges  bytes      as v4, but counted in /64s
 *   v6 fine    4 × u32 start, u32 record: the inside of the few /64s that are split further
 *
 * A lookup finds the block by binary search and then walks at most BLOCK_RANGES ranges. Storing lengths
 * instead of starts is what makes it small: nearly all are a small odd number shifted left, which takes one byte.
 */

/** 'IPT1' read as a little-endian u32; a big-endian machine would not find it and fail loudly. */
export const IP_TABLE_MAGIC = 0x31545049;

/** Ranges per block: trades size (more) for speed (fewer). */
export const BLOCK_RANGES = 24;

/** Record number of "nothing known": gaps, private and reserved space. */
export const RECORD_NOTHING = 0;
/** Record number of "look in v6 fine". */
export const RECORD_FINE = 1;

/** The classes, in the order of their numbers in a record. */
export const NETWORK_CLASSES = ['other', 'hosting', 'mobile'] as const;

/** What kind of machine sits behind an address: a server or a relay, a phone, or anything else. */
export type NetworkClass = (typeof NETWORK_CLASSES)[number];

/** Positions in the header, in u32s. */
export const HEADER = {
  magic: 0,
  countries: 1,
  records: 2,
  v4Starts: 3,
  v4Offsets: 4,
  v4Ranges: 5,
  v6High: 6,
  v6Low: 7,
  v6Offsets: 8,
  v6Ranges: 9,
  v6Fine: 10,
  end: 11,
  /** Number of entries in v6 fine and in countries: padding hides them. */
  fineCount: 12,
  countryCount: 13,
} as const;

export const HEADER_WORDS = 14;

/** No AS number above 22 bits has been assigned; the registries have reached about 402,000. */
export const MAX_ASN = 0x3fffff;

export const packRecord = (asn: number, network: NetworkClass, country: number): number =>
  ((asn << 10) | (NETWORK_CLASSES.indexOf(network) << 8) | country) >>> 0;
