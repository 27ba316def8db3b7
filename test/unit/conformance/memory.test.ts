import { memoryObjects } from '../../../shared/store/memory/memory-objects';
import { modelRegistry } from '../../../shared/store/models/model-registry';
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
import { describeModelRegistryConformance } from '../../support/conformance/model-registry';
import { describeNetworksConformance } from '../../support/conformance/networks';
import { describeObjectsConformance } from '../../support/conformance/objects';
import { describeOutcomesConformance } from '../../support/conformance/outcomes';
import { describeOutsideOutcomesConformance } from '../../support/conformance/outside-outcomes';
import { describeOverviewConformance } from '../../support/conformance/overview';
import { describeScreeningsConformance } from '../../support/conformance/screenings';
import { describeSealedTextsConformance } from '../../support/conformance/sealed-texts';
import { describeShadowTalliesConformance } from '../../support/conformance/shadow-tallies';
import { describeWebhooksConformance } from '../../support/conformance/webhooks';
import { memorySealedTexts } from '../../support/memory/memory-sealed-texts';
import { memoryTable } from '../../support/memory/memory-table';

describe('memory objects', () => {
  describeObjectsConformance('memory', memoryObjects);
  describeModelRegistryConformance('a bucket in memory', () => modelRegistry(memoryObjects()));
});

describe('memory table', () => {
  /* The suites that test/integration/conformance runs against DynamoDB: what use cases are tested on does the same. */
  describeAccountsConformance('memory', () => memoryTable().accounts);
  describeAnswersConformance('memory', () => memoryTable().answers);
  describeCasesConformance('memory', memoryTable);
  describeClaimsConformance('memory', () => memoryTable().claims);
  describeDecisionsConformance('memory', memoryTable);
  describeDeliveriesConformance('memory', memoryTable);
  describeDeskConformance('memory', memoryTable);
  describeEndpointStatesConformance('memory', () => memoryTable().endpointStates);
  describeEntitiesConformance('memory', () => memoryTable().entities);
  describeErasuresConformance('memory', memoryTable);
  describeLinksConformance('memory', memoryTable);
  describeListsConformance('memory', memoryTable);
  describeNetworksConformance('memory', () => memoryTable().networks);
  describeOutcomesConformance('memory', memoryTable);
  describeOutsideOutcomesConformance('memory', memoryTable);
  describeOverviewConformance('memory', () => memoryTable().overview);
  describeScreeningsConformance('memory', memoryTable);
  describeShadowTalliesConformance('memory', () => memoryTable().shadowTallies);
  describeWebhooksConformance('memory', memoryTable);

  const TEXTS = [
    { text: 'v1:one', context: 'webhook-secret/acc/wh_1' },
    { text: 'v1:two', context: 'idempotency/acc/scope' },
  ];
  describeSealedTextsConformance('memory', () => ({ sealed: memorySealedTexts(TEXTS), expected: TEXTS }));
});
