import type { Stacks } from '../template/resolve-stacks';
import type { AlarmStatus } from './alarm-states';

/** What CodeDeploy would do with a new version of a function if it were deployed now. */
export interface Canary {
  readonly name: string;
  /** `stopped`: an alarm is already red because of the current version, and the new one is rolled back at once. */
  readonly verdict: 'shifts' | 'stopped';
  readonly red: readonly string[];
}

interface GroupProperties {
  readonly AlarmConfiguration?: { readonly Enabled?: boolean; readonly Alarms?: readonly { readonly Name: string }[] };
  readonly AutoRollbackConfiguration?: { readonly Enabled?: boolean; readonly Events?: readonly string[] };
}

/** There is only one version of a function here, but the alarms show whether the next one could be deployed. */
export function canaries(stacks: Stacks, states: () => readonly AlarmStatus[]): () => readonly Canary[] {
  const groups = stacks.ofType('AWS::CodeDeploy::DeploymentGroup');
  return () => {
    const red = new Set(states().flatMap(({ name, state }) => (state === 'ALARM' ? [name] : [])));
    return groups.map(({ name, properties }) => {
      const { AlarmConfiguration: watched } = properties as GroupProperties;
      const alarms = watched?.Enabled ? (watched.Alarms ?? []).map((alarm) => alarm.Name) : [];
      const found = alarms.filter((alarm) => red.has(alarm));
      return { name, verdict: found.length > 0 ? 'stopped' : 'shifts', red: found };
    });
  };
}
