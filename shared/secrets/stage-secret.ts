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

/** The materials of the identity keys, oldest first. */
export const identityMaterials = ({ material, identity = [material] }: StageSecret): readonly string[] => identity;

/** The identity keys, oldest first. */
export const identityKeys = (secret: StageSecret): Uint8Array[] =>
  identityMaterials(secret).map((material) =>
    Buffer.from(hkdfSync('sha256', material, '', 'fraud-screening identity key v1', 32)),
  );

/** The secret with another data key; what names entities stays. */
export const withDataKey = (secret: StageSecret, material: string): StageSecret => ({
  material,
  identity: identityMaterials(secret),
});

/** The secret with one more identity key; the data key stays. */
export const withIdentityKey = (secret: StageSecret, material: string): StageSecret => ({
  material: secret.material,
  identity: [...identityMaterials(secret), material],
});

/** The secret with the identity keys of another deployment: both give the same names. The data key stays. */
export const withIdentityKeys = (secret: StageSecret, identity: readonly string[]): StageSecret => ({
  material: secret.material,
  identity,
});
