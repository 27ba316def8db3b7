import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { erasureMark, type Trace } from '../../../shared/domain/personal-data/erasure';
import { type ErasureLookup, replayErasures } from '../../../shared/usecases/personal-data/replay-erasures';

const NOW = Date.UTC(2026, 2, 20, 10);
const ann = entityNames('acc').user('ann').key;

const traceOf = (pk: string, entities: readonly string[]): Trace => ({
  erasure_id: 'era_1',
  kind: 'link',
  account_id: 'acc',
  key: { pk, sk: '' },
  entities,
});

function world(marks: readonly string[]) {
  const erased: string[] = [];
  const deps = {
    clock: { now: () => NOW },
    async *remembered() {
      for (const mark of marks) yield { erasure_id: 'era_1', account_id: 'acc', mark, requested_at_ms: NOW };
    },
    async *pages(lookup: ErasureLookup) {
      const isErased = (user: string) => lookup('acc', user) !== undefined;
      yield isErased(ann) ? [traceOf('a', ['device#own', 'ip#shared'])] : [];
      yield isErased('user#1.bob') ? [traceOf('b', [])] : [];
    },
    erase: async ({ key }: Trace) => void erased.push(key.pk),
    eraseIfAlone: async (_account: string, entity: string) => {
      if (entity !== 'device#own') return false;
      erased.push(entity);
      return true;
    },
  };
  return { erased, replay: () => replayErasures(deps) };
}

it('erases whom an erasure remembers by a mark, and what was theirs alone', async () => {
  const { erased, replay } = world([erasureMark('acc', ann)]);
  expect(await replay()).toEqual({ erasures: 1, erased: 2 });
  expect(erased).toEqual(['a', 'device#own']);
});

it('recognises nobody by the mark of another account', async () => {
  expect(await world([erasureMark('other', ann)]).replay()).toEqual({ erasures: 1, erased: 0 });
});

it('does nothing if nobody was erased', async () => {
  expect(await world([]).replay()).toEqual({ erasures: 0, erased: 0 });
});

it('remembers no keyed hash', () => {
  expect(erasureMark('acc', ann)).not.toContain(ann.slice(-22));
});
