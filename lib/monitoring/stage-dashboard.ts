import { Dashboard, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { AlarmBook } from './alarm-book';
import { decisions } from './rows/decisions';
import { delivery } from './rows/delivery';
import { overview } from './rows/overview';
import { requests } from './rows/requests';
import { type DashboardParts, underneath } from './rows/underneath';

/** The dashboard of a stage: its first row answers the three questions of 3 a.m., the rows below explain why. */
export class StageDashboard extends Dashboard {
  constructor(scope: Construct, id: string, parts: DashboardParts, book: AlarmBook) {
    super(scope, id, {
      dashboardName: `fraud-screening-${parts.metrics.stage}`,
      start: '-PT3H',
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        ...overview(parts, book.telling),
        ...requests(parts),
        ...decisions(parts),
        ...delivery(parts),
        ...underneath(parts),
      ],
    });
  }
}
