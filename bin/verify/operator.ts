/** An alarm as CloudWatch knows it. */
export interface SeenAlarm {
  readonly name: string;
  readonly state: string;
  readonly description: string;
}

/** The result of running a scheduled function now. */
export interface ScheduledRun {
  readonly name: string;
  /** What went wrong; undefined if nothing did. */
  readonly error: string | undefined;
}

/** What became of a test notification. */
export interface TestPage {
  readonly sent: boolean;
  /** Who gets it, or why it was not sent. */
  readonly detail: string;
}

/** What the operator of a stage can see and do, in AWS or on the local run. */
export interface Operator {
  readonly where: 'AWS' | 'local run';
  /** How long metrics and alarm states may take to appear. */
  readonly metricDelayMs: number;
  outputs(): Promise<Readonly<Record<string, string>>>;
  /** Runs everything that is scheduled, one after another. */
  runSchedules(): Promise<readonly ScheduledRun[]>;
  /** Which of these metrics have received values since then. */
  metricsSince(names: readonly string[], sinceMs: number): Promise<ReadonlySet<string>>;
  /** How often each function of the stage was invoked since then; 0 for one that was not. */
  invocationsSince(sinceMs: number): Promise<ReadonlyMap<string, number>>;
  alarms(): Promise<readonly SeenAlarm[]>;
  /** Sets off one alarm that pages, as a test; undefined where notifications do not exist. */
  testPage(): Promise<TestPage | undefined>;
  /** Calls that IAM refused, where that can be known. */
  denials(): Promise<readonly string[]>;
}
