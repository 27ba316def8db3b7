import { hash } from 'node:crypto';
import { checkForest } from './check-forest';
import type { Forest } from './forest';

/*
 * The blob, little-endian, every section on an 8-byte boundary:
 *
 *   header         12 × u32   magic, version, total bytes, trees, nodes, leaves, features, category sets,
 *                             category words, bytes per child (1 or 2), bytes of names, 0
 *   sigmoid        f64
 *   checksum       16 bytes   start of the SHA-256 of everything else
 *   leaf values    f64 each
 *   first nodes, category bounds, category words   u32 each
 *   thresholds, expectations                       f32 each
 *   slots          u16 each
 *   children       i8 or i16, two per node
 *   names          UTF-8, separated by spaces (LightGBM does not allow spaces in names)
 *
 * Opening it takes the checksum, a view per section, and one pass over the nodes: a checksum proves that the bytes
 * are whole, not that their author meant well.
 */

/** 'FRST' read as a little-endian u32; a big-endian machine would not find it and fail loudly. */
const MAGIC = 0x54535246;
const VERSION = 1;
const HEADER_WORDS = 12;
const HEADER = {
  magic: 0,
  version: 1,
  end: 2,
  trees: 3,
  nodes: 4,
  leaves: 5,
  features: 6,
  sets: 7,
  words: 8,
  childBytes: 9,
  nameBytes: 10,
} as const;
const SIGMOID_AT = 48;
const CHECKSUM_AT = 56;
const CHECKSUM_BYTES = 16;
const BODY_AT = CHECKSUM_AT + CHECKSUM_BYTES;

type Counts = Readonly<Record<'trees' | 'nodes' | 'leaves' | 'sets' | 'words' | 'childBytes' | 'nameBytes', number>>;

function layout({ trees, nodes, leaves, sets, words, childBytes, nameBytes }: Counts) {
  let at = BODY_AT;
  const section = (bytes: number) => {
    const start = at;
    at = Math.ceil((at + bytes) / 8) * 8;
    return start;
  };
  const starts = {
    leafValues: section(8 * leaves),
    firstNodes: section(4 * (trees + 1)),
    categoryBounds: section(4 * (sets + 1)),
    categoryWords: section(4 * words),
    thresholds: section(4 * nodes),
    expectations: section(4 * nodes),
    slots: section(2 * nodes),
    children: section(2 * childBytes * nodes),
    names: section(nameBytes),
  };
  return { ...starts, end: at };
}

/** One compact binary form, for the bundle and the registry. */
export function encodeForest(forest: Forest): Uint8Array {
  const names = new TextEncoder().encode(forest.featureNames.join(' '));
  const counts: Counts = {
    trees: forest.firstNodes.length - 1,
    nodes: forest.slots.length,
    leaves: forest.leafValues.length,
    sets: forest.categoryBounds.length - 1,
    words: forest.categoryWords.length,
    childBytes: forest.children.BYTES_PER_ELEMENT,
    nameBytes: names.length,
  };
  const at = layout(counts);
  const blob = new Uint8Array(at.end);
  const { buffer } = blob;
  const { trees, nodes, leaves, sets, words } = counts;
  const header = { magic: MAGIC, version: VERSION, end: at.end, features: forest.featureNames.length, ...counts };
  for (const [field, position] of Object.entries(HEADER)) {
    new Uint32Array(buffer, 0, HEADER_WORDS)[position] = header[field as keyof typeof HEADER];
  }
  new Float64Array(buffer, SIGMOID_AT, 1)[0] = forest.sigmoid;
  new Float64Array(buffer, at.leafValues, leaves).set(forest.leafValues);
  new Uint32Array(buffer, at.firstNodes, trees + 1).set(forest.firstNodes);
  new Uint32Array(buffer, at.categoryBounds, sets + 1).set(forest.categoryBounds);
  new Uint32Array(buffer, at.categoryWords, words).set(forest.categoryWords);
  new Float32Array(buffer, at.thresholds, nodes).set(forest.thresholds);
  new Float32Array(buffer, at.expectations, nodes).set(forest.expectations);
  new Uint16Array(buffer, at.slots, nodes).set(forest.slots);
  childArray(buffer, at.children, nodes, counts.childBytes).set(forest.children);
  blob.set(names, at.names);
  blob.set(checksum(blob), CHECKSUM_AT);
  return blob;
}

/**
 * Opens a blob; its bytes must not change afterwards.
 * @throws Error if it is not a forest, has another version, is truncated or damaged, or cannot be scored; as for an artefact
 */
export function decodeForest(bytes: Uint8Array, isKnown = false): Forest {
  if (bytes.length < BODY_AT) throw new Error(`not a model blob: ${bytes.length} bytes`);
  // Views need alignment, and a small Buffer may start anywhere in Node's pool.
  const blob = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const { buffer, byteOffset } = blob;
  const header = new Uint32Array(buffer, byteOffset, HEADER_WORDS);
  const word = (at: number) => header[at] as number;
  const counts = readCounts(word);
  const { trees, nodes, leaves, sets, words, childBytes, nameBytes } = counts;
  const end = word(HEADER.end);
  if (word(HEADER.magic) !== MAGIC) throw new Error('not a model blob');
  if (word(HEADER.version) !== VERSION) {
    throw new Error(`model blob of version ${word(HEADER.version)}, this code reads ${VERSION}`);
  }
  const at = layout(counts);
  if (end !== bytes.length || at.end !== end) throw new Error(`model blob of ${bytes.length} bytes, expected ${end}`);
  const given = blob.subarray(CHECKSUM_AT, BODY_AT);
  if (checksum(blob).some((byte, i) => byte !== given[i])) throw new Error('model blob is damaged: checksum differs');

  if (childBytes !== 1 && childBytes !== 2) throw new Error(`model blob with ${childBytes} bytes per child`);
  const forest: Forest = {
    featureNames: new TextDecoder().decode(blob.subarray(at.names, at.names + nameBytes)).split(' '),
    sigmoid: new Float64Array(buffer, byteOffset + SIGMOID_AT, 1)[0] as number,
    firstNodes: new Uint32Array(buffer, byteOffset + at.firstNodes, trees + 1),
    slots: new Uint16Array(buffer, byteOffset + at.slots, nodes),
    children: childArray(buffer, byteOffset + at.children, nodes, childBytes),
    thresholds: new Float32Array(buffer, byteOffset + at.thresholds, nodes),
    expectations: new Float32Array(buffer, byteOffset + at.expectations, nodes),
    leafValues: new Float64Array(buffer, byteOffset + at.leafValues, leaves),
    categoryBounds: new Uint32Array(buffer, byteOffset + at.categoryBounds, sets + 1),
    categoryWords: new Uint32Array(buffer, byteOffset + at.categoryWords, words),
  };
  if (forest.featureNames.length !== word(HEADER.features))
    throw new Error('model blob with other features than named');
  if (!isKnown) checkForest(forest);
  return forest;
}

const readCounts = (word: (at: number) => number): Counts => ({
  trees: word(HEADER.trees),
  nodes: word(HEADER.nodes),
  leaves: word(HEADER.leaves),
  sets: word(HEADER.sets),
  words: word(HEADER.words),
  childBytes: word(HEADER.childBytes),
  nameBytes: word(HEADER.nameBytes),
});

const childArray = (buffer: ArrayBufferLike, at: number, nodes: number, childBytes: number) =>
  childBytes === 1 ? new Int8Array(buffer, at, 2 * nodes) : new Int16Array(buffer, at, 2 * nodes);

function checksum(blob: Uint8Array): Uint8Array {
  const rest = Buffer.concat([blob.subarray(0, CHECKSUM_AT), blob.subarray(BODY_AT)]);
  return hash('sha256', rest, 'buffer').subarray(0, CHECKSUM_BYTES);
}
