import type { Template } from '../../lib/stack-templates';

/** A template with its origin: its stack name, environment, and the directories of its assets. */
export interface StackTemplate {
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
  readonly template: Template;
  /** Object key in the assets bucket → directory (or file) on this machine. */
  readonly assets: ReadonlyMap<string, string>;
}

/** A resource with its properties resolved and its physical identity known. */
export interface StackResource {
  readonly logicalId: string;
  readonly type: string;
  /** The construct path without stack and trailing `Resource`: what a developer calls it. */
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly ref: string;
  attribute(name: string): string;
}

/** A stack ready to run: every intrinsic resolved. */
export interface Stack {
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
  readonly resources: readonly StackResource[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly exports: ReadonlyMap<string, string>;
  readonly assets: ReadonlyMap<string, string>;
}
