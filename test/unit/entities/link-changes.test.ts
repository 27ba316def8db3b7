import { marshall } from '@aws-sdk/util-dynamodb';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import type { EntityLink } from '../../../shared/domain/entities/seen-with';
import { readLinks } from '../../../shared/store/links/link-store';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { linkChanges } from '../../../shared/usecases/entities/link-changes';
import { screened } from '../../support/changes';
import { memoryTable } from '../../support/memory/memory-table';

const AT = Date.UTC(2026, 2, 20, 10);
const names = entityNames('acc_1');
const entities = [names.user('ann').key, 'device#1.d', 'ip#1.i'];

const inserted = (change: object, eventName: 'INSERT' | 'MODIFY' = 'INSERT') => ({
  eventName,
  dynamodb: { NewImage: marshall(screeningItem('acc_1', screened(AT, { entities, ...change }))) },
});

it('writes each pair of a batch once, from new screenings that say what was new', async () => {
  const written: EntityLink[] = [];
  const reported: string[] = [];
  await linkChanges(
    {
      readLinks: (raw) => {
        if (raw === 'broken') throw new Error('unreadable');
        return readLinks(raw as ReturnType<typeof inserted>);
      },
      links: { stored: async () => () => true, put: async (link) => void written.push(link) },
      report: (problem) => reported.push(problem),
    },
    [
      inserted({ linked: '12' }),
      inserted({ linked: '1' }),
      inserted({}),
      inserted({ linked: '2' }, 'MODIFY'),
      'broken',
    ],
  );
  const user = entities[0]?.split('#')[1];
  expect(written).toEqual([
    { account_id: 'acc_1', entity: 'device#1.d', user, since_ms: AT },
    { account_id: 'acc_1', entity: 'ip#1.i', user, since_ms: AT },
  ]);
  expect(reported).toEqual(['a record of the stream cannot be read']);
});

it('links nobody who was erased before the stream came, or came again', async () => {
  const { links, screenings } = memoryTable();
  const kept = screened(AT, { entities, linked: '1' });
  const erased = screened(AT, { entities: [names.user('eve').key, 'device#1.e'], linked: '1' });
  await screenings.insert('acc_1', kept);
  const batch = [kept, erased].map((record) => ({
    eventName: 'INSERT' as const,
    dynamodb: { NewImage: marshall(screeningItem('acc_1', record)) },
  }));
  await linkChanges({ readLinks, links, report: () => undefined }, batch);
  expect(links.ofAccount('acc_1').map(({ entity }) => entity)).toEqual(['device#1.d']);
});

it('a failure is for the stream to repeat', async () => {
  const links = { stored: async () => () => true, put: () => Promise.reject(new Error('throttled')) };
  const failing = { readLinks, links, report: () => undefined };
  await expect(linkChanges(failing, [inserted({ linked: '1' })])).rejects.toThrow('throttled');
});
