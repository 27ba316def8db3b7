import { hash } from 'node:crypto';
import { decodeForest, encodeForest } from './forest-blob';
import type { ModelArtefact } from './model-artefact';

/*
 * The blob, little-endian:
 *
 *   header     4 × u32   magic, version, bytes of JSON, bytes of the forest
 *   checksum   16 bytes  start of the SHA-256 of everything else
 *   forest               forest-blob.ts; its length is a multiple of 8
 *   JSON       UTF-8     the rest of the artefact: a few kB, 0.1 ms to parse; models of accounts taught apart as base64 of their blobs
 */

/** 'FSMA' read as a little-endian u32. */
const MAGIC = 0x414d5346;
const VERSION = 1;
const CHECKSUM_AT = 16;
const CHECKSUM_BYTES = 16;
const FOREST_AT = CHECKSUM_AT + CHECKSUM_BYTES;

/** 100 times the largest that training makes; a function holds two of them in memory. */
export const MAX_ARTEFACT_BYTES = 16 * 1024 * 1024;

/** A whole model in one compact binary form. */
export function encodeArtefact({ forest, apart, ...rest }: ModelArtefact): Uint8Array {
  const trees = encodeForest(forest);
  const others = apart?.map((part) => Buffer.from(encodeArtefact(part)).toString('base64'));
  const json = new TextEncoder().encode(JSON.stringify({ ...rest, apart: others }));
  const blob = new Uint8Array(FOREST_AT + trees.length + json.length);
  const header = new DataView(blob.buffer);
  [MAGIC, VERSION, json.length, trees.length].forEach((word, at) => {
    header.setUint32(4 * at, word, true);
  });
  blob.set(trees, FOREST_AT);
  blob.set(json, FOREST_AT + trees.length);
  blob.set(checksum(blob), CHECKSUM_AT);
  return blob;
}

/**
 * Opens a blob; its bytes must not change afterwards.
 * @throws Error if it is not a model, has another version, is truncated or damaged, or cannot be scored; of a known one
 * that is taken for granted, since looking at each node takes longer than all else
 */
export function decodeArtefact(bytes: Uint8Array, isKnown = false): ModelArtefact {
  if (bytes.length < FOREST_AT) throw new Error(`not a model artefact: ${bytes.length} bytes`);
  if (bytes.length > MAX_ARTEFACT_BYTES) {
    throw new Error(`model artefact of ${bytes.length} bytes; at most ${MAX_ARTEFACT_BYTES} are supported`);
  }
  // The forest's views need alignment, and a small Buffer may start anywhere in Node's pool.
  const blob = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const header = new DataView(blob.buffer, blob.byteOffset, CHECKSUM_AT);
  const [magic, version, jsonBytes, treeBytes] = [0, 4, 8, 12].map((at) => header.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  if (magic !== MAGIC) throw new Error('not a model artefact');
  if (version !== VERSION) throw new Error(`model artefact of version ${version}, this code reads ${VERSION}`);
  const end = FOREST_AT + treeBytes + jsonBytes;
  if (end !== blob.length) throw new Error(`model artefact of ${blob.length} bytes, expected ${end}`);
  const given = blob.subarray(CHECKSUM_AT, FOREST_AT);
  if (checksum(blob).some((byte, i) => byte !== given[i]))
    throw new Error('model artefact is damaged: checksum differs');
  const { apart, ...rest } = JSON.parse(Buffer.from(blob.subarray(FOREST_AT + treeBytes)).toString()) as Omit<
    ModelArtefact,
    'forest' | 'apart'
  > & { readonly apart?: readonly string[] };
  checkCalibration(rest.calibration);
  const others = apart && { apart: apart.map((part) => decodeArtefact(Buffer.from(part, 'base64'), isKnown)) };
  return { ...rest, ...others, forest: decodeForest(blob.subarray(FOREST_AT, FOREST_AT + treeBytes), isKnown) };
}

/** JSON has no NaN: a calibration that had one arrives as null, and would make every score 0. */
function checkCalibration(calibration: Partial<ModelArtefact['calibration']> | undefined): void {
  const { slope, intercept, role } = calibration ?? {};
  const isUsable = Number.isFinite(slope) && (slope as number) > 0 && Number.isFinite(intercept);
  if (!isUsable || (role !== 'replace' && role !== 'nudge')) throw new Error('model artefact without a calibration');
}

function checksum(blob: Uint8Array): Uint8Array {
  const rest = Buffer.concat([blob.subarray(0, CHECKSUM_AT), blob.subarray(FOREST_AT)]);
  return hash('sha256', rest, 'buffer').subarray(0, CHECKSUM_BYTES);
}

/** A version derived from the content: two artefacts with the same content have the same version. */
export function contentVersion(prefix: string, artefact: Omit<ModelArtefact, 'version'>): string {
  const digest = hash('sha256', encodeArtefact({ ...artefact, version: '' }));
  return `${prefix}-${digest.slice(0, 10)}`;
}
