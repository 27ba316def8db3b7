import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Sealer } from '../../../shared/domain/sealer';
import { localClient } from '../../../shared/runtime/admin-wiring';
import {
  accountAdminStore,
  accountDirectory,
  keyReader,
  keyUseRecorder,
} from '../../../shared/store/accounts/account-store';
import { EXPIRY_SHARDS } from '../../../shared/store/cases/case-index';
import { caseOpener } from '../../../shared/store/cases/case-opener';
import { caseLister, caseReader, caseSweeper } from '../../../shared/store/cases/case-store';
import { deskStore } from '../../../shared/store/cases/desk-store';
import { outcomeStore } from '../../../shared/store/cases/outcome-store';
import { entityStore, networkStore } from '../../../shared/store/entities/entity-store';
import { idempotencyStore, recordAnswerItem } from '../../../shared/store/idempotency-store';
import { linkReader, linkWriter } from '../../../shared/store/links/link-store';
import { entryRemover, LIST_SHARDS } from '../../../shared/store/lists/entry-remover';
import { entryStore } from '../../../shared/store/lists/entry-store';
import { flagReader, heldEntryReader } from '../../../shared/store/lists/held-entries';
import { listReader, listWriter } from '../../../shared/store/lists/list-store';
import { labelReader, sampleWriter } from '../../../shared/store/models/label-store';
import { shadowTallyStore } from '../../../shared/store/models/shadow-tally-store';
import { heldOutcomeSweeper, outsideOutcomeStore } from '../../../shared/store/outcomes/outside-outcome-store';
import { overviewReader, overviewTallies } from '../../../shared/store/overview/overview-store';
import {
  erasureQueue,
  erasureReader,
  erasureRecorder,
  profileEraser,
} from '../../../shared/store/personal-data/erasure-store';
import { traceStore } from '../../../shared/store/personal-data/trace-store';
import { claimStore } from '../../../shared/store/screening/claim-store';
import { decisionLists } from '../../../shared/store/screening/decision-lists';
import { screeningWriter } from '../../../shared/store/screening/screening-store';
import type { Table } from '../../../shared/store/sdk/client';
import { transact } from '../../../shared/store/sdk/transact';
import { deliveryLister } from '../../../shared/store/webhooks/delivery-lister';
import { deliveryRequestStore } from '../../../shared/store/webhooks/delivery-request-store';
import {
  DUE_SHARDS,
  deliveryReader,
  deliveryStepper,
  deliveryWatch,
  deliveryWriter,
  messageWriter,
  queuedDeliveryReader,
} from '../../../shared/store/webhooks/delivery-store';
import { endpointStateStore } from '../../../shared/store/webhooks/endpoint-state-store';
import {
  webhookReader,
  webhookRegistrar,
  webhookRemover,
  webhookSecretRotator,
  webhookSender,
} from '../../../shared/store/webhooks/webhook-store';
import type { NetworkPort } from '../../../shared/usecases/screening/sources/networks';
import { localRun } from '../local-run';
import type { AccountsPort } from '../memory/memory-accounts';
import type { AnswersPort } from '../memory/memory-answers';
import type { CasesPort } from '../memory/memory-cases';
import type { ClaimsPort } from '../memory/memory-claims';
import type { DeliveriesPort } from '../memory/memory-deliveries';
import type { DeskPort } from '../memory/memory-desk';
import type { EndpointStatesPort } from '../memory/memory-endpoint-states';
import type { EntitiesPort } from '../memory/memory-entities';
import type { ErasuresPort } from '../memory/memory-erasures';
import type { LabelsPort } from '../memory/memory-labels';
import type { LinksPort } from '../memory/memory-links';
import type { ListsPort } from '../memory/memory-lists';
import type { OutcomesPort } from '../memory/memory-outcomes';
import type { OutsidePort } from '../memory/memory-outside-outcomes';
import type { OverviewPort } from '../memory/memory-overview';
import type { DecisionsPort, ScreeningsPort } from '../memory/memory-screenings';
import type { ShadowTalliesPort } from '../memory/memory-shadow-tallies';
import type { TracesPort } from '../memory/memory-traces';
import type { WebhooksPort } from '../memory/memory-webhooks';

/** Not hidden at all: what sealing does has its own tests. */
export const glass: Sealer = { seal: async (plain) => plain, open: async (sealed) => sealed };

/** Every port that the table serves; `memoryTable` has the same in memory. */
export interface TablePorts extends DeliveriesPort, ListsPort {
  readonly accounts: AccountsPort;
  readonly answers: AnswersPort;
  readonly cases: CasesPort;
  readonly claims: ClaimsPort;
  readonly desk: DeskPort;
  readonly decisions: DecisionsPort;
  readonly endpointStates: EndpointStatesPort;
  readonly entities: EntitiesPort;
  readonly erasures: ErasuresPort;
  readonly labels: LabelsPort;
  readonly links: LinksPort;
  readonly networks: NetworkPort;
  readonly outcomes: OutcomesPort;
  readonly outsideOutcomes: OutsidePort;
  readonly overview: OverviewPort;
  readonly screenings: ScreeningsPort;
  readonly shadowTallies: ShadowTalliesPort;
  readonly traces: TracesPort;
  readonly webhooks: WebhooksPort;
}

let client: DynamoDBClient | undefined;
const lowLevelClient = (): DynamoDBClient => {
  client ??= new DynamoDBClient(localClient(localRun()));
  return client;
};

afterAll(() => client?.destroy());

/** The stores of a table of the run under test, by the ports they serve. */
export function tablePorts(table: Table, clock = { now: () => Date.now() }): TablePorts {
  const screenings = { ...screeningWriter(table), ...caseOpener(table) };
  return {
    accounts: {
      ...accountAdminStore(table),
      ...keyReader(table),
      recordUse: keyUseRecorder(table).recordUse,
      ...accountDirectory(table),
    },
    answers: {
      ...idempotencyStore(table, glass),
      record: async (accountId, record, nowMs) =>
        (await transact(table, [await recordAnswerItem(glass, accountId, record, nowMs)])).committed,
    },
    cases: { ...caseReader(table), ...caseLister(table), ...caseSweeper(table), shards: EXPIRY_SHARDS },
    claims: claimStore(table),
    desk: deskStore(table),
    decisions: decisionLists(table),
    endpointStates: endpointStateStore(table),
    entities: entityStore({ onceClient: lowLevelClient(), name: table.name }),
    erasures: { ...erasureReader(table), ...erasureRecorder(table), ...erasureQueue(table) },
    links: { ...linkReader(table), ...linkWriter(table) },
    traces: { ...traceStore(table), ...profileEraser(table) },
    networks: networkStore({ onceClient: lowLevelClient(), name: table.name }),
    labels: { ...labelReader(table), ...sampleWriter(table) },
    outcomes: outcomeStore(table),
    outsideOutcomes: { ...outsideOutcomeStore(table), ...heldOutcomeSweeper(table) },
    overview: { ...overviewTallies(table, clock), ...overviewReader(table) },
    screenings,
    shadowTallies: shadowTallyStore(table),
    webhooks: {
      merchant: { ...webhookRegistrar(table, glass), ...webhookReader(table), ...webhookRemover(table) },
      sender: webhookSender(table, glass),
      admin: webhookSecretRotator(table, glass),
    },
    messages: messageWriter(table),
    deliveries: {
      insert: deliveryWriter(table).insert,
      find: deliveryReader(table).find,
      newest: deliveryLister(table).newest,
      step: deliveryStepper(table).step,
    },
    queued: queuedDeliveryReader(table, glass),
    watch: deliveryWatch(table),
    shards: DUE_SHARDS,
    requests: deliveryRequestStore(table),
    lists: { ...listReader(table), ...listWriter(table) },
    listEntries: {
      ...entryStore(table, glass),
      ...entryRemover(table),
      ...heldEntryReader(table),
      ...flagReader({ onceClient: lowLevelClient(), name: table.name }),
    },
    listShards: LIST_SHARDS,
  };
}
