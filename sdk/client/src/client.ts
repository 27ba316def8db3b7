import { Cases } from './cases';
import { Attributes, Counters, EventTypes } from './declarations';
import { Lists } from './lists';
import { type ClientOptions, createTransport, type FailPolicy } from './request';
import {
  Decisions,
  Deliveries,
  Events,
  Keys,
  Outcomes,
  Overviews,
  Transactions,
  Users,
  WebhookEndpoints,
} from './resources';
import { Rules } from './rules';

/** A client of one deployment, for one API key. It keeps no state between calls: make one and share it. */
export class FraudScreening<Policy extends FailPolicy = 'throw'> {
  readonly transactions: Transactions<Policy>;
  readonly events: Events<Policy>;
  readonly users: Users;
  readonly decisions: Decisions;
  readonly cases: Cases;
  readonly outcomes: Outcomes;
  readonly rules: Rules;
  readonly attributes: Attributes;
  readonly eventTypes: EventTypes;
  readonly counters: Counters;
  readonly lists: Lists;
  readonly overview: Overviews;
  readonly webhooks: WebhookEndpoints;
  readonly deliveries: Deliveries;
  readonly keys: Keys;

  constructor(options: ClientOptions<Policy>) {
    const transport = createTransport(options);
    const failPolicy = options.failPolicy ?? ('throw' as Policy);
    this.transactions = new Transactions(transport, failPolicy);
    this.events = new Events(transport, failPolicy);
    this.users = new Users(transport);
    this.decisions = new Decisions(transport);
    this.cases = new Cases(transport);
    this.outcomes = new Outcomes(transport);
    this.rules = new Rules(transport);
    this.attributes = new Attributes(transport);
    this.eventTypes = new EventTypes(transport);
    this.counters = new Counters(transport);
    this.lists = new Lists(transport);
    this.overview = new Overviews(transport);
    this.webhooks = new WebhookEndpoints(transport);
    this.deliveries = new Deliveries(transport);
    this.keys = new Keys(transport);
  }
}
