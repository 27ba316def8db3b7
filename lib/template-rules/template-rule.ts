import type { Resource, SynthesizedApp } from './synthesized-app';

/** One thing that AWS would refuse: where, and what to change. */
export interface Finding {
  readonly stack: string;
  /** The logical ID of a resource; none if the finding is about the template. */
  readonly id?: string;
  readonly says: string;
}

/** A refusal of AWS that shows in the templates alone, before anything is deployed. */
export interface TemplateRule {
  readonly name: string;
  /** Where AWS, or somebody it refused, says so. */
  readonly source: string;
  check(app: SynthesizedApp): readonly Finding[];
}

/** A refusal that depends on what is deployed already. */
export interface UpdateRule {
  readonly name: string;
  readonly source: string;
  check(deployed: SynthesizedApp, next: SynthesizedApp): readonly Finding[];
}

/** A rule about each resource of some types; `problem` returns what to change, or nothing. */
export const ruleFor = (
  name: string,
  source: string,
  types: string | readonly string[],
  problem: (resource: Resource, app: SynthesizedApp) => string | false | undefined,
): TemplateRule => ({
  name,
  source,
  check: (app) =>
    app.ofType(...[types].flat()).flatMap((resource) => {
      const says = problem(resource, app);
      return says ? [{ stack: resource.stack, id: resource.id, says }] : [];
    }),
});
