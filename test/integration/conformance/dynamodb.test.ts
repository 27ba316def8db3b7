import { randomUUID } from 'node:crypto';
import { sealedStore } from '../../../shared/store/secrets/sealed-store';
import { webhookRegistrar } from '../../../shared/store/webhooks/webhook-store';
import { describeAccountsConformance } from '../../support/conformance/accounts';
import { describeAnswersConformance } from '../../support/conformance/answers';
import { describeCasesConformance } from '../../support/conformance/cases';
import { describeClaimsConformance } from '../../support/conformance/claims';
import { describeDecisionsConformance } from '../../support/conformance/decisions';
import { describeDeliveriesConformance } from '../../support/conformance/deliveries';
import { describeDeskConformance } from '../../support/conformance/desk';
import { describeEndpointStatesConformance } from '../../support/conformance/endpoint-states';
import { describeEntitiesConformance } from '../../support/conformance/entities';
import { describeErasuresConformance } from '../../support/conformance/erasures';
import { describeLinksConformance } from '../../support/conformance/links';
import { describeListsConformance } from '../../support/conformance/lists';
import { describeNetworksConformance } from '../../support/conformance/networks';
import { describeOutcomesConformance } from '../../support/conformance/outcomes';
import { describeOutsideOutcomesConformance } from '../../support/conformance/outside-outcomes';
import { describeOverviewConformance } from '../../support/conformance/overview';
import { describeScreeningsConformance } from '../../support/conformance/screenings';
import { describeSealedTextsConformance } from '../../support/conformance/sealed-texts';
import { describeShadowTalliesConformance } from '../../support/conformance/shadow-tallies';
import { describeWebhooksConformance } from '../../support/conformance/webhooks';
import { sized } from '../../support/sized';
import { emptyTable } from '../../support/stores/empty-table';
import { glass, type TablePorts, tablePorts } from '../../support/stores/table-ports';

/* The suites that test/unit/conformance runs against the ports in memory. */
const RUNS = sized(15, 3);

/** One table for all that an account keeps to itself, and a separate one for what sees all accounts. */
let shared: Promise<TablePorts> | undefined;
const sharedPorts = (): Promise<TablePorts> => {
  shared ??= emptyTable().then((table) => tablePorts(table));
  return shared;
};
const ownPorts = async (): Promise<TablePorts> => tablePorts(await emptyTable());

describeAccountsConformance('DynamoDB', async () => (await ownPorts()).accounts);
describeAnswersConformance('DynamoDB', async () => (await sharedPorts()).answers);
describeCasesConformance('DynamoDB', ownPorts, RUNS);
describeClaimsConformance('DynamoDB', async () => (await sharedPorts()).claims, RUNS);
describeDecisionsConformance('DynamoDB', sharedPorts);
describeDeliveriesConformance('DynamoDB', ownPorts);
describeDeskConformance('DynamoDB', sharedPorts);
describeEndpointStatesConformance('DynamoDB', async () => (await sharedPorts()).endpointStates, RUNS);
describeEntitiesConformance('DynamoDB', async () => (await sharedPorts()).entities, RUNS);
describeErasuresConformance('DynamoDB', ownPorts);
describeLinksConformance('DynamoDB', sharedPorts);
describeListsConformance('DynamoDB', sharedPorts);
describeNetworksConformance('DynamoDB', async () => (await sharedPorts()).networks);
describeOutcomesConformance('DynamoDB', sharedPorts);
describeOutsideOutcomesConformance('DynamoDB', sharedPorts);
describeOverviewConformance('DynamoDB', async () => (await sharedPorts()).overview, RUNS);
describeScreeningsConformance('DynamoDB', sharedPorts);
describeShadowTalliesConformance('DynamoDB', async () => (await sharedPorts()).shadowTallies);
describeWebhooksConformance('DynamoDB', sharedPorts);

describeSealedTextsConformance('DynamoDB', async () => {
  const table = await emptyTable();
  const endpoint = {
    webhook_id: `wh_${randomUUID()}`,
    url: 'https://receiver.example/hooks',
    events: ['case.created'] as const,
    label: null,
    status: 'enabled' as const,
    created_at: '2026-03-01T10:00:00.000Z',
  };
  const record = { scope: 'scope', body_hash: 'hash', status: 201, body: 'v1:answer' };
  await webhookRegistrar(table, glass).insert('acc_1', { endpoint, secret: 'v1:secret' }, Date.now(), record);
  return {
    sealed: sealedStore(table),
    expected: [
      { text: 'v1:secret', context: `webhook-secret/acc_1/${endpoint.webhook_id}` },
      { text: 'v1:answer', context: 'idempotency/acc_1/scope' },
    ],
  };
});
