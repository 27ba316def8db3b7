import { hkdfSync } from 'node:crypto';

/** The secret of a stage, as Secrets Manager holds it. */
export interface StageSecret {
  /** The material of the data key, which seals webhook secrets. */
  readonly material: string;
  /**
   * The materials of the identity keys, oldest first, which name entities. @default the data key's material: both are
   * derived from it under labels of their own, and it stays here when the data key is rotated
   */
  readonly identity?: readonly string[];
}

/** Reads the text of the secret. */
export function parseStageSecret(text: string): StageSecret {
  const secret = JSON.parse(text) as StageSecret;
  if (typeof secret.material !== 'string') throw new Error("The stage's secret has no key material");
  return secret;
}

const materialsOf = ({ material, identity = [material] }: StageSecret): readonly string[] => identity;

/** The identity keys, oldest first. */
export const identityKeys = (secret: StageSecret): Uint8Array[] =>
  materialsOf(secret).map((material) =>
    Buffer.from(hkdfSync('sha256', material, '', 'fraud-screening identity key v1', 32)),
  );

/** The secret with another data key; what names entities stays. */
export const withDataKey = (secret: StageSecret, material: string): StageSecret => ({
  material,
  identity: materialsOf(secret),
});

/** The secret with one more identity key; the data key stays. */
export const withIdentityKey = (secret: StageSecret, material: string): StageSecret => ({
  material: secret.material,
  identity: [...materialsOf(secret), material],
});
