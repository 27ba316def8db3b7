import { memoryAccounts } from './memory-accounts';
import { memoryAnswers } from './memory-answers';
import { memoryCases } from './memory-cases';
import { memoryClaims } from './memory-claims';
import { memoryDeliveries } from './memory-deliveries';
import { memoryDesk } from './memory-desk';
import { memoryEndpointStates } from './memory-endpoint-states';
import { entitiesByAccount, networksByAccount } from './memory-entities';
import { memoryErasures } from './memory-erasures';
import { memoryKept } from './memory-kept';
import { memoryLabels } from './memory-labels';
import { memoryLinks } from './memory-links';
import { memoryLists } from './memory-lists';
import { memoryOutcomes } from './memory-outcomes';
import { memoryOutsideOutcomes } from './memory-outside-outcomes';
import { memoryOverview } from './memory-overview';
import { memoryReferences } from './memory-references';
import { memoryDecisions, memoryScreenings } from './memory-screenings';
import { memoryShadowTallies } from './memory-shadow-tallies';
import { memoryTraces } from './memory-traces';
import { memoryWebhooks } from './memory-webhooks';

/**
 * Every port that the table serves, in memory. Each call takes effect in one step, as a conditional write or a
 * transaction does; `interpose` brings faults and other orders into it. The conformance suites hold it against DynamoDB.
 */
export function memoryTable() {
  const answers = memoryAnswers();
  const cases = memoryCases();
  const entities = entitiesByAccount();
  const labels = memoryLabels();
  const keptSubjects = memoryKept(entities);
  const references = memoryReferences();
  const screenings = memoryScreenings({ cases, entities, keptSubjects, references });
  const outcomes = memoryOutcomes({ answers, cases, keptSubjects, labels, screenings });
  const desk = memoryDesk({ answers, cases, keptSubjects, outcomes, screenings });
  const links = memoryLinks({ entities, screenings });
  const lists = memoryLists(entities, answers);
  const webhooks = memoryWebhooks(answers);
  return {
    accounts: memoryAccounts(),
    answers,
    cases,
    claims: memoryClaims(),
    decisions: memoryDecisions(screenings, keptSubjects),
    entities,
    labels,
    networks: networksByAccount(entities),
    outcomes,
    desk,
    erasures: memoryErasures(),
    links,
    traces: memoryTraces(
      { cases, desk, entities, keptSubjects, labels, links, outcomes, references, screenings },
      lists,
    ),
    outsideOutcomes: memoryOutsideOutcomes({ answers, keptSubjects, labels, references, screenings }),
    overview: memoryOverview(),
    screenings,
    shadowTallies: memoryShadowTallies(),
    webhooks,
    endpointStates: memoryEndpointStates(),
    ...lists,
    ...memoryDeliveries(answers, webhooks.sender),
  };
}

export type MemoryTable = ReturnType<typeof memoryTable>;
