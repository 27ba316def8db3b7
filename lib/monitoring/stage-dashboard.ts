import { Stack } from 'aws-cdk-lib';
import { type AlarmBase, Dashboard, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { decisions } from './rows/decisions';
import { delivery } from './rows/delivery';
import { overview } from './rows/overview';
import { requests } from './rows/requests';
import { type DashboardParts, underneath } from './rows/underneath';
import { heading } from './widgets';

/** What the dashboard shows about alarms. */
export interface DashboardAlarms {
  readonly telling: readonly AlarmBase[];
  /** One per function; a single alarm on all of them notifies. */
  readonly crashes: readonly AlarmBase[];
  /** Something that must be fixed first. */
  readonly notice: string | undefined;
}

/** The dashboard of a stage: its first row answers the three questions of 3 a.m., the rows below explain why. */
export class StageDashboard extends Dashboard {
  constructor(scope: Construct, id: string, parts: DashboardParts, alarms: DashboardAlarms) {
    super(scope, id, {
      // CloudWatch keeps one list of dashboards for all regions of an account.
      dashboardName: `fraud-screening-${parts.metrics.stage}-${Stack.of(scope).region}`,
      start: '-PT3H',
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        ...(alarms.notice ? [[heading(`**${alarms.notice}**`)]] : []),
        ...overview(parts, alarms.telling),
        ...requests(parts, alarms.crashes),
        ...decisions(parts),
        ...delivery(parts),
        ...underneath(parts),
      ],
    });
  }
}
