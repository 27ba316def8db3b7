import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { networksOf } from '../../../shared/domain/screening/subjects/attempt-of';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import type { NetworkPort } from '../../../shared/usecases/screening/sources/networks';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

let attempts = 0;
const failedLogin = (user_id: string, at_ms: number): Attempt => ({
  attempt_id: `evt_${String(++attempts).padStart(26, '0')}`,
  at_ms,
  action: 'login',
  outcome: 'failed',
  user_id,
  ip: '91.0.0.1',
  network: 'other',
});

/** Tests that every store of networks must pass. */
export function describeNetworksConformance(name: string, makePort: MakePort<NetworkPort>): void {
  describe(`networks in ${name}`, () => {
    let networks: NetworkPort;
    let account: string;
    beforeEach(async () => {
      networks = await makePort();
      account = freshAccount();
    });
    const read = (attempt: Attempt, of = account) =>
      networks.read(
        of,
        networksOf(entityNames(of, PUBLIC_PSEUDONYMS), '91.0.0.1', { asn: 3320, network: 'other' }),
        attempt,
        PATIENT_MS,
      );
    const fail = async (user: string, at_ms: number) => {
      const attempt = failedLogin(user, at_ms);
      const readings = await read(attempt);
      await Promise.all(readings.map((reading) => reading.record(PATIENT_MS)));
      return readings;
    };

    it('reads both networks, and counts on them only when told to', async () => {
      const first = await read(failedLogin('ann', START_MS));
      expect(first.map(({ ref }) => ref.name)).toEqual(['network', 'asn']);
      expect(first[0]?.history).toMatchObject({ first_seen_ms: undefined, failed_logins: { '1h': 0 } });
      await fail('ann', START_MS);
      await fail('ben', START_MS + 1_000);
      for (const { history } of await read(failedLogin('ann', START_MS + 2_000))) {
        expect(history).toMatchObject({
          first_seen_ms: START_MS,
          failed_logins: { '1h': 2 },
          failing_users: { count: 2, includes_user: true },
        });
      }
    });

    it('counts an attempt once, however often it is recorded', async () => {
      const attempt = failedLogin('ann', START_MS);
      for (let time = 0; time < 2; time++) {
        await Promise.all((await read(attempt)).map((reading) => reading.record(PATIENT_MS)));
      }
      const [network] = await read(failedLogin('ben', START_MS + 1_000));
      expect(network?.history?.failed_logins['1h']).toBe(1);
    });

    it('keeps accounts apart', async () => {
      await fail('ann', START_MS);
      const [elsewhere] = await read(failedLogin('ann', START_MS + 1_000), freshAccount());
      expect(elsewhere?.history?.failed_logins['1h']).toBe(0);
    });

    it('notes the time of a password spray', async () => {
      for (let user = 0; user < 15; user++) await fail(`user-${user}`, START_MS + user * 1_000);
      const [network] = await read(failedLogin('late', START_MS + 1_800_000));
      expect(network?.history?.failing_users).toMatchObject({ count: 0, last_spray_ms: START_MS + 14_000 });
    });
  });
}
