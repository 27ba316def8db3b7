import { createHash } from 'node:crypto';
import { type Forest, READINGS } from './forest';

/*
 * The blob, little endian, every section on an 8-byte boundary:
 *
 *   header         12 × u32   magic, version, bytes in all, trees, nodes, leaves, features, category sets,
 *                             category words, bytes a child (1 or 2), bytes of names, 0
 *   sigmoid        f64
 *   checksum       16 bytes   start of the SHA-256 of everything else
 *   leaf values    f64 each
 *   category bounds, category words, thresholds, expectations   u32, u32, f32, f32
 *   leaves a tree  u16
 *   slots          u16
 *   children       i8 or i16, two a node, counted from their tree's first node or leaf
 *   names          UTF-8, parted by spaces (LightGBM allows none inside)
 *
 * All but roots and children are views into the blob; those two are widened (and checked) at load, which keeps
 * 200 trees of 31 leaves at 125 kB where 32-bit children would make 160.
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

/** Where each section begins, and where the blob ends. */
function layout({ trees, nodes, leaves, sets, words, childBytes, nameBytes }: Counts) {
  let at = BODY_AT;
  const section = (bytes: number) => {
    const start = at;
    at = Math.ceil((at + bytes) / 8) * 8;
    return start;
  };
  const starts = {
    leafValues: section(8 * leaves),
    categoryBounds: section(4 * (sets + 1)),
    categoryWords: section(4 * words),
    thresholds: section(4 * nodes),
    expectations: section(4 * nodes),
    treeLeaves: section(2 * trees),
    slots: section(2 * nodes),
    children: section(2 * childBytes * nodes),
    names: section(nameBytes),
  };
  return { ...starts, end: at };
}

/** One compact binary form for the bundle and the registry. */
export function encodeForest(forest: Forest): Uint8Array {
  const names = new TextEncoder().encode(forest.featureNames.join(' '));
  const treeLeaves = leavesPerTree(forest);
  const childBytes = treeLeaves.every((leaves) => leaves <= 128) ? 1 : 2;
  const counts: Counts = {
    trees: forest.roots.length,
    nodes: forest.slots.length,
    leaves: forest.leafValues.length,
    sets: forest.categoryBounds.length - 1,
    words: forest.categoryWords.length,
    childBytes,
    nameBytes: names.length,
  };
  const at = layout(counts);
  const blob = new Uint8Array(at.end);
  const { buffer } = blob;
  const { trees, nodes, leaves, sets, words, nameBytes } = counts;
  const header = { magic: MAGIC, version: VERSION, end: at.end, features: forest.featureNames.length, ...counts };
  for (const [field, position] of Object.entries(HEADER)) {
    new Uint32Array(buffer, 0, HEADER_WORDS)[position] = header[field as keyof typeof HEADER];
  }
  new Float64Array(buffer, SIGMOID_AT, 1)[0] = forest.sigmoid;
  new Float64Array(buffer, at.leafValues, leaves).set(forest.leafValues);
  new Uint32Array(buffer, at.categoryBounds, sets + 1).set(forest.categoryBounds);
  new Uint32Array(buffer, at.categoryWords, words).set(forest.categoryWords);
  new Float32Array(buffer, at.thresholds, nodes).set(forest.thresholds);
  new Float32Array(buffer, at.expectations, nodes).set(forest.expectations);
  new Uint16Array(buffer, at.treeLeaves, trees).set(treeLeaves);
  new Uint16Array(buffer, at.slots, nodes).set(forest.slots);
  narrow(forest.children, treeLeaves, childArray(buffer, at.children, nodes, childBytes));
  blob.set(names, at.names);
  blob.set(checksum(blob), CHECKSUM_AT);
  return blob;
}

/**
 * Opens a blob; its bytes must not change afterwards.
 * @throws Error when it is no blob, of another version, cut short or damaged
 */
export function decodeForest(bytes: Uint8Array): Forest {
  if (bytes.length < BODY_AT) throw new Error(`not a model blob: ${bytes.length} bytes`);
  // Views need alignment, and a small Buffer may begin anywhere in Node's pool.
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

  const treeLeaves = new Uint16Array(buffer, byteOffset + at.treeLeaves, trees);
  const slots = new Uint16Array(buffer, byteOffset + at.slots, nodes);
  const narrowed = childArray(buffer, byteOffset + at.children, nodes, childBytes);
  if (treeLeaves.reduce((sum, count) => sum + count, 0) !== leaves || leaves - trees !== nodes) {
    throw new Error('model blob: trees and leaves do not add up');
  }
  if (slots.some((slot) => slot >= READINGS * word(HEADER.features)))
    throw new Error('model blob: a slot beyond the features');
  return {
    featureNames: new TextDecoder().decode(blob.subarray(at.names, at.names + nameBytes)).split(' '),
    sigmoid: new Float64Array(buffer, byteOffset + SIGMOID_AT, 1)[0] as number,
    ...widen(narrowed, treeLeaves),
    slots,
    thresholds: new Float32Array(buffer, byteOffset + at.thresholds, nodes),
    expectations: new Float32Array(buffer, byteOffset + at.expectations, nodes),
    leafValues: new Float64Array(buffer, byteOffset + at.leafValues, leaves),
    categoryBounds: new Uint32Array(buffer, byteOffset + at.categoryBounds, sets + 1),
    categoryWords: new Uint32Array(buffer, byteOffset + at.categoryWords, words),
  };
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
  const hash = createHash('sha256').update(blob.subarray(0, CHECKSUM_AT)).update(blob.subarray(BODY_AT)).digest();
  return hash.subarray(0, CHECKSUM_BYTES);
}

/** A tree of n leaves has n − 1 nodes, so that the first node of the next tree tells. */
function leavesPerTree({ roots, leafValues }: Forest): number[] {
  const firstLeaves = [...roots].reduceRight<number[]>(
    (starts, root, i) => {
      // The first leaf of tree i is its first node plus i: every tree before has one leaf more than nodes.
      starts.unshift(root >= 0 ? root + i : ~root);
      return starts;
    },
    [leafValues.length],
  );
  return [...roots].map((_, i) => (firstLeaves[i + 1] as number) - (firstLeaves[i] as number));
}

function narrow(children: Int32Array, treeLeaves: readonly number[], out: Int8Array | Int16Array): void {
  let node = 0;
  let leaf = 0;
  for (const leaves of treeLeaves) {
    for (let i = 2 * node; i < 2 * (node + leaves - 1); i++) {
      const child = children[i] as number;
      out[i] = child >= 0 ? child - node : ~(~child - leaf);
    }
    node += leaves - 1;
    leaf += leaves;
  }
}

/** Also the guard: a child lies later in its own tree, so that no blob, however made, can send a walk in circles. */
function widen(narrowed: Int8Array | Int16Array, treeLeaves: Uint16Array): Pick<Forest, 'roots' | 'children'> {
  const roots = new Int32Array(treeLeaves.length);
  const children = new Int32Array(narrowed.length);
  let node = 0;
  let leaf = 0;
  for (let tree = 0; tree < treeLeaves.length; tree++) {
    const leaves = treeLeaves[tree] as number;
    roots[tree] = leaves === 1 ? ~leaf : node;
    for (let i = 0; i < 2 * (leaves - 1); i++) {
      const child = narrowed[2 * node + i] as number;
      const isInside = child >= 0 ? child > i >> 1 && child < leaves - 1 : ~child < leaves;
      if (!isInside) throw new Error(`model blob: tree ${tree} points outside itself`);
      children[2 * node + i] = child >= 0 ? node + child : ~(leaf + ~child);
    }
    node += leaves - 1;
    leaf += leaves;
  }
  return { roots, children };
}
