import type { SealedText } from '../../../shared/domain/sealer';
import type { ResealDeps } from '../../../shared/usecases/secrets/reseal';
import type { MakePort } from './fresh-account';

/** Sealed texts, of which at least one is there, and what this one reads now. */
export interface SealedWorld<Sealed extends SealedText> {
  readonly sealed: ResealDeps<Sealed>['sealed'];
  readonly expected: readonly SealedText[];
}

async function collected<Sealed>(all: AsyncIterable<Sealed>): Promise<Sealed[]> {
  const found: Sealed[] = [];
  for await (const each of all) found.push(each);
  return found;
}

const byContext = (a: SealedText, b: SealedText): number => (a.context < b.context ? -1 : 1);
const plain = ({ text, context }: SealedText): SealedText => ({ text, context });

/** Tests that everything that holds sealed texts must pass. */
export function describeSealedTextsConformance<Sealed extends SealedText>(
  name: string,
  makePort: MakePort<SealedWorld<Sealed>>,
): void {
  describe(`sealed texts in ${name}`, () => {
    it('finds every one of them with its context', async () => {
      const { sealed, expected } = await makePort();
      const found = (await collected(sealed.all())).filter(({ text }) => text !== '').map(plain);
      expect(found.sort(byContext)).toEqual([...expected].sort(byContext));
    });

    it('replaces a text while it is what was read, and for one of several', async () => {
      const { sealed } = await makePort();
      const [first] = (await collected(sealed.all())) as [Sealed];
      const replaced = await Promise.all(['a', 'b', 'c'].map((by) => sealed.replace(first, by)));
      expect(replaced.filter(Boolean)).toHaveLength(1);
      const now = (await collected(sealed.all())).find(({ context }) => context === first.context);
      expect(now?.text).toBe(['a', 'b', 'c'][replaced.indexOf(true)]);
      expect(await sealed.replace(first, 'late')).toBe(false);
    });
  });
}
