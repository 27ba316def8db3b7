import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinStacks, readStackTemplates } from '../../lib/stack-templates';
import { StartError } from '../start-error';
import type { StackTemplate } from './resolve-stack';

interface Artifact {
  readonly type: string;
  readonly environment?: string;
  readonly dependencies?: readonly string[];
  readonly properties?: {
    readonly templateFile?: string;
    readonly stackName?: string;
    readonly directoryName?: string;
    readonly file?: string;
  };
}

interface Entry {
  readonly directory: string;
  readonly artifact: Artifact;
}

interface AssetsFile {
  readonly files?: Readonly<
    Record<
      string,
      { source: { path?: string }; destinations: Readonly<Record<string, { readonly objectKey: string }>> }
    >
  >;
}

export const LOCAL_ACCOUNT = '000000000000';
export const DEFAULT_REGION = 'us-east-1';

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

function artifactsOf(directory: string): Map<string, Entry> {
  const manifest = join(directory, 'manifest.json');
  if (!existsSync(manifest)) throw new StartError(`No synthesized application in ${directory}.`);
  const { artifacts = {} } = readJson<{ artifacts?: Record<string, Artifact> }>(manifest);
  const entries = new Map<string, Entry>();
  for (const [id, artifact] of Object.entries(artifacts)) {
    entries.set(id, { directory, artifact });
    const nested = artifact.properties?.directoryName;
    if (artifact.type === 'cdk:cloud-assembly' && nested) {
      for (const [nestedId, entry] of artifactsOf(join(directory, nested))) entries.set(nestedId, entry);
    }
  }
  return entries;
}

function assetsOf({ directory, artifact }: Entry, entries: ReadonlyMap<string, Entry>): Map<string, string> {
  const assets = new Map<string, string>();
  for (const dependency of artifact.dependencies ?? []) {
    const entry = entries.get(dependency);
    const file = entry?.artifact.properties?.file;
    if (entry?.artifact.type !== 'cdk:asset-manifest' || !file) continue;
    for (const { source, destinations } of Object.values(readJson<AssetsFile>(join(directory, file)).files ?? {})) {
      if (!source.path) continue;
      for (const { objectKey } of Object.values(destinations)) assets.set(objectKey, join(directory, source.path));
    }
  }
  return assets;
}

function stackTemplate(id: string, entry: Entry, entries: ReadonlyMap<string, Entry>): StackTemplate {
  const { directory, artifact } = entry;
  const region = /^aws:\/\/[^/]+\/([a-z0-9-]+)$/.exec(artifact.environment ?? '')?.[1];
  return {
    stackName: artifact.properties?.stackName ?? id,
    region: region && region !== 'unknown-region' ? region : DEFAULT_REGION,
    account: LOCAL_ACCOUNT,
    template: joinStacks(readStackTemplates(directory, id, id, artifact.properties?.templateFile)),
    assets: assetsOf(entry, entries),
  };
}

/** The named stack with those nested in it, and the stacks it depends on, dependencies first, so that exports are known before imports. */
export function loadAssembly(directory: string, stackName: string): readonly StackTemplate[] {
  const entries = artifactsOf(directory);
  const stacks = [...entries].filter(([, { artifact }]) => artifact.type === 'aws:cloudformation:stack');
  const wanted = stacks.find(([id, { artifact }]) => id === stackName || artifact.properties?.stackName === stackName);
  if (!wanted) {
    const known = stacks.map(([id]) => id).join(', ');
    throw new StartError(`The application has no stack named ${stackName}; it has ${known || 'none'}.`);
  }
  const ordered = new Map<string, StackTemplate>();
  const visit = (id: string): void => {
    const entry = entries.get(id);
    if (entry?.artifact.type !== 'aws:cloudformation:stack' || ordered.has(id)) return;
    for (const dependency of entry.artifact.dependencies ?? []) visit(dependency);
    ordered.set(id, stackTemplate(id, entry, entries));
  };
  visit(wanted[0]);
  return [...ordered.values()];
}
