/** Advice about a Node that is too old, by package.json's `engines`; undefined for one that will do. */
export function nodeProblem(version: string, needed: string): string | undefined {
  const [have = 0, least = 0] = [version, needed].map((text) => Number(/\d+/.exec(text)?.[0]));
  if (have >= least) return undefined;
  return `This is Node ${version}; Node ${least} or newer is needed. With nvm: nvm install && nvm use.`;
}
