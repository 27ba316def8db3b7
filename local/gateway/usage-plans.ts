import { settingPath } from '../../lib/template-rules/api-gateway-rules';
import type { ApiKeys } from '../aws/api-gateway-keys';
import { StartError } from '../start-error';
import type { StackResource } from '../template/types';
import type { GatewayErrorType } from './gateway-responses';
import type { ApiFacts } from './request';
import { type Rate, throttle } from './throttle';

interface Throttle {
  readonly RateLimit?: number;
  readonly BurstLimit?: number;
}

interface PlanProperties {
  readonly Throttle?: Throttle;
  readonly Quota?: { readonly Limit?: number; readonly Period?: string; readonly Offset?: number };
  readonly ApiStages?: readonly {
    readonly ApiId: string;
    readonly Stage: string;
    readonly Throttle?: Readonly<Record<string, Throttle>>;
  }[];
}

interface MethodSetting {
  readonly HttpMethod?: string;
  readonly ResourcePath?: string;
  readonly ThrottlingRateLimit?: number;
  readonly ThrottlingBurstLimit?: number;
}

export interface Metered {
  readonly error?: GatewayErrorType;
  readonly identity: { readonly apiKey?: string; readonly apiKeyId?: string };
}

const rate = ({ RateLimit, BurstLimit }: Throttle): Rate => ({
  rateLimit: RateLimit ?? Number.POSITIVE_INFINITY,
  burstLimit: BurstLimit ?? Number.POSITIVE_INFINITY,
});

/** Counts per day, in UTC as API Gateway does. */
function dailyCounts(now: () => number): (key: string) => number {
  const counts = new Map<string, number>();
  let today = '';
  return (key) => {
    const day = new Date(now()).toISOString().slice(0, 10);
    if (day !== today) counts.clear();
    today = day;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}

/** Checks API keys against the usage plans of the stage and counts requests against their token buckets. */
export function usagePlans(
  resources: readonly StackResource[],
  keys: ApiKeys,
  api: ApiFacts,
  now: () => number = Date.now,
): (keyValue: string | undefined, resourcePath: string, method: string) => Metered {
  const take = throttle();
  const used = dailyCounts(now);
  const plans = new Map(
    resources.map((resource) => {
      const properties = resource.properties as PlanProperties;
      const { Quota: quota } = properties;
      if (quota && (quota.Period !== 'DAY' || quota.Offset)) {
        throw new StartError(`${resource.logicalId} (${resource.type}) has a quota that is not of days.`);
      }
      const stage = properties.ApiStages?.find(({ ApiId, Stage }) => ApiId === api.apiId && Stage === api.stage);
      return [resource.ref, { properties, stage }];
    }),
  );
  return (value, resourcePath, method) => {
    const found = value === undefined ? undefined : keys.find(value);
    const planId = found?.planIds.find((id) => plans.get(id)?.stage !== undefined);
    const plan = plans.get(planId ?? '');
    if (!found || !plan) return { error: 'INVALID_API_KEY', identity: {} };
    const identity = { apiKey: found.key.value, apiKeyId: found.key.id };
    const bucket = `${planId} ${found.key.id}`;
    const perMethod = plan.stage?.Throttle?.[`${resourcePath}/${method}`];
    const allowed =
      (!plan.properties.Throttle || take(bucket, rate(plan.properties.Throttle))) &&
      (!perMethod || take(`${bucket} ${method} ${resourcePath}`, rate(perMethod)));
    if (!allowed) return { error: 'THROTTLED', identity };
    const { Limit: limit = Number.POSITIVE_INFINITY } = plan.properties.Quota ?? {};
    return used(bucket) <= limit ? { identity } : { error: 'QUOTA_EXCEEDED', identity };
  };
}

/** Stage-level throttling: `/*` `*` sets the limit of each method separately, not of all together. */
export function stageThrottle(settings: readonly MethodSetting[]): (resourcePath: string, method: string) => boolean {
  const take = throttle();
  const settingFor = (path: string, method: string): MethodSetting | undefined =>
    settings.find((setting) => settingPath(setting.ResourcePath ?? '') === path && setting.HttpMethod === method) ??
    settings.find((setting) => setting.ResourcePath === '/*' && setting.HttpMethod === '*');
  return (path, method) => {
    const setting = settingFor(path, method);
    if (setting?.ThrottlingRateLimit === undefined && setting?.ThrottlingBurstLimit === undefined) return true;
    const limits = { RateLimit: setting.ThrottlingRateLimit, BurstLimit: setting.ThrottlingBurstLimit };
    return take(`${method} ${path}`, rate(limits as Throttle));
  };
}
