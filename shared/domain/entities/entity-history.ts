import type { NetworkClass } from '../ip/ip-table';

/**
 * A user, a device, an IP, every tracked attribute value, the networks around an IP (its /24 or /48, its ASN) and an agent
 * that shops for people are the same kind of thing: an entity with a history.
 */
export type EntityKind = 'user' | 'device' | 'ip' | 'attribute' | 'network' | 'agent';

/** The spans over which an entity's transactions are counted. */
export const WINDOW_MS = {
  '10m': 600_000,
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
} as const;

export type Window = keyof typeof WINDOW_MS;

/** The spans over which labels are counted, by the time they became known. */
export const LABEL_WINDOWS = ['1d', '7d', '30d'] as const;

export type LabelWindow = (typeof LABEL_WINDOWS)[number];

/** A person's finding about an attempt, and when it became known. */
export interface KnownLabel {
  readonly label: 'fraud' | 'legitimate';
  readonly known_at_ms: number;
}

/** Labels that became known in a window: the fraud labels, and all of them. */
export interface LabelCount {
  readonly fraud: number;
  readonly labelled: number;
}

export const EVENT_ACTIONS = [
  'login',
  'signup',
  'password_reset',
  'password_change',
  'email_change',
  'phone_change',
  'payout_change',
  'profile_update',
] as const;

export type EventAction = (typeof EVENT_ACTIONS)[number];

/** The kind of screening: a payment, an event of a built-in type, or one of the account's types, which has a number. */
export type Action = 'transaction' | EventAction | (string & {});

/** The counterparts that an entity keeps distinct counts of. */
export type Counterpart = 'users' | 'devices' | 'ips' | 'countries' | 'cards';

/** One screened transaction or event, as recorded by every entity that took part. */
export interface Attempt {
  /** `txn_…` or `evt_…`: the same attempt is never counted twice. */
  readonly attempt_id: string;
  /** The same for all requests with one `Idempotency-Key` and one body: together they count once. */
  readonly repeat_key?: string;
  readonly at_ms: number;
  readonly action: Action;
  /** The number of an event type that the account declared. @default it is a built-in one */
  readonly type_number?: number;
  readonly outcome: 'succeeded' | 'failed';
  readonly amount?: number;
  readonly currency?: string;
  /** The amount in US dollars at a rough rate: good for orders of magnitude only. */
  readonly amount_usd?: number;
  /** The pseudonym of the user, as of every counterpart below; never the value. */
  readonly user_id: string;
  readonly device?: string;
  /** Of the IPv4 address, or of the /64 of an IPv6 address. */
  readonly ip?: string;
  readonly country?: string;
  readonly network?: NetworkClass;
  /** Of `card_fingerprint`, if it was sent. */
  readonly card?: string;
}

/** Mean and spread of the natural logarithm of amounts. */
export interface AmountStats {
  readonly count: number;
  readonly total: number;
  readonly mean_log: number;
  readonly sd_log: number;
}

export interface Location {
  readonly country: string;
  readonly network: NetworkClass;
  readonly at_ms: number;
}

/** Failed logins of the last minutes, by user: many users with few passwords each is a spray. */
export interface FailingUsers {
  /** Different users with a failed login in the last 5 minutes (up to half a minute more). */
  readonly count: number;
  readonly includes_user: boolean;
  readonly last_spray_ms: number | undefined;
}

/** The attempt's own device among those that its user has earned. */
export interface OwnDevice {
  /** How the user's history writes the other two (`earning.ts`); undefined if it does not. */
  readonly text: string | undefined;
  /** Since when: the first allowed attempt on it, or the user's own beginning if a person confirmed one. */
  readonly since_ms: number;
  /** How many users the device had then; undefined if it was not counted. */
  readonly crowd: number | undefined;
}

/** Stopped attempts that may be repeated (`stopped-mark.ts`), by their result. */
export interface StoppedMarks {
  /** Under review, blocked, or never reviewed. */
  readonly undecided: readonly string[];
  readonly rejected: readonly string[];
}

/** Declines of an entity up to an attempt. */
export interface DeclineCounts {
  readonly '10m': number;
  readonly '1h': number;
  readonly '24h': number;
  readonly cards: number;
  /** The same without those of a rise that the whole account shared. */
  readonly lone_cards: number;
  /** Wrong CVCs in 24 hours, likewise. */
  readonly wrong_cvcs: number;
}

/** A user's largest sums of 24 hours. */
export interface LargestDay {
  /** The largest that is older than a week or approved, in US dollars; undefined if there is none yet. */
  readonly usual_usd: number | undefined;
  /** Its member, to carry on; else the largest of all. */
  readonly member: string;
  /** The step of the largest of all, however young. */
  readonly step: number;
}

/**
 * The history of an entity just before an attempt, as a screening needs it; the attempt itself is not included.
 * Counts move with every attempt. What makes a user familiar (`seen`, `last_place`, `hours`, amounts, `trusted_since_ms`)
 * is earned by attempts that were allowed, or that a person approved.
 */
export interface EntityHistory {
  readonly first_seen_ms: number | undefined;
  readonly last_seen_ms: number | undefined;
  readonly trusted_since_ms: number | undefined;
  readonly transactions: {
    readonly total: number;
    /** Those older than 24 hours that were not stopped. */
    readonly established: number;
    /** Those that were stopped, unless approved later. */
    readonly stopped: number;
    readonly windows: Readonly<Record<Window, { readonly count: number; readonly amount_usd: number }>>;
    /** The largest amount of the last 24 hours: the highest mean of a fifth of them. @default not measured */
    readonly largest_24h_usd?: number;
    /** At most this much in 24 hours: windows forget a little early, by the share of their oldest fifth. @default as in `windows` */
    readonly most_24h_usd?: number;
  };
  readonly failed_logins: Readonly<Record<'10m' | '1h' | '24h', number>>;
  /** Only where passwords can be tried from: devices, IPs and networks. */
  readonly failing_users?: FailingUsers | undefined;
  readonly declines?: DeclineCounts | undefined;
  readonly last_event_ms: Readonly<Partial<Record<EventAction, number>>>;
  /** Distinct counts over the last 30 to 60 days; an estimate beyond about 30. */
  readonly distinct: Readonly<Partial<Record<Counterpart, number | undefined>>>;
  /**
   * Whether the attempt's own counterpart was among them; for a user, among those that were earned. One that a user
   * usually has and this attempt has not is like a new one: false, until that is familiar, too.
   */
  readonly seen: Readonly<Partial<Record<Counterpart, boolean | undefined>>>;
  readonly tried: Readonly<Partial<Record<Counterpart, boolean | undefined>>>;
  /** How many of a user's devices and cards were earned; 0 for other entities. */
  readonly earned: { readonly devices: number; readonly cards: number };
  /** Users only: the totals of one day's payments. @default nothing is known */
  readonly largest_day?: LargestDay | undefined;
  /** Undefined unless the user has earned the attempt's device, or has earned sending none. */
  readonly own_device: OwnDevice | undefined;
  /** Users only. */
  readonly stopped_marks: StoppedMarks;
  readonly last_place: Location | undefined;
  /** Attempts by three-hour slot of the UTC day; there are eight slots. */
  readonly hours: readonly number[];
  readonly amounts_by_currency: Readonly<Record<string, AmountStats>>;
  readonly amounts_usd: AmountStats;
  readonly decisions: { readonly review: number; readonly block: number };
  readonly labels: { readonly fraud: number; readonly legitimate: number };
  readonly recent_labels: Readonly<Record<LabelWindow, LabelCount>>;
  /** When the first fraud of the last 30 to 60 days was confirmed. */
  readonly fraud_since_ms: number | undefined;
  readonly last_label: KnownLabel['label'] | undefined;
}

const NOTHING_SPENT = { count: 0, amount_usd: 0 } as const;
const NO_LABELS: LabelCount = { fraud: 0, labelled: 0 };

/** An entity that was read and never seen before. */
export const NEVER_SEEN: EntityHistory = {
  first_seen_ms: undefined,
  last_seen_ms: undefined,
  trusted_since_ms: undefined,
  transactions: {
    total: 0,
    established: 0,
    stopped: 0,
    windows: {
      '10m': NOTHING_SPENT,
      '1h': NOTHING_SPENT,
      '24h': NOTHING_SPENT,
      '7d': NOTHING_SPENT,
      '30d': NOTHING_SPENT,
    },
  },
  failed_logins: { '10m': 0, '1h': 0, '24h': 0 },
  last_event_ms: {},
  distinct: { users: 0, devices: 0, ips: 0, countries: 0, cards: 0 },
  seen: { users: false, devices: false, ips: false, countries: false, cards: false },
  tried: {},
  earned: { devices: 0, cards: 0 },
  own_device: undefined,
  stopped_marks: { undecided: [], rejected: [] },
  last_place: undefined,
  hours: [0, 0, 0, 0, 0, 0, 0, 0],
  amounts_by_currency: {},
  amounts_usd: { count: 0, total: 0, mean_log: 0, sd_log: 0 },
  decisions: { review: 0, block: 0 },
  labels: { fraud: 0, legitimate: 0 },
  fraud_since_ms: undefined,
  last_label: undefined,
  recent_labels: { '1d': NO_LABELS, '7d': NO_LABELS, '30d': NO_LABELS },
};

/** A history with the additional values that only people ask for. */
export interface EntityProfile extends EntityHistory {
  readonly events: { readonly total: number; readonly by_type: Readonly<Record<string, number>> };
  /** Events of types that the account declared, by type number. @default none */
  readonly own_events?: ReadonlyMap<number, number> | undefined;
  readonly countries: readonly string[];
  readonly recent_devices: ReadonlyArray<{ readonly device: string; readonly last_seen_ms: number }>;
}
