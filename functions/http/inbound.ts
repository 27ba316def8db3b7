import type { EndpointDeps } from '../../shared/http/endpoint';
import { rawEndpoint } from '../../shared/http/raw-endpoint';
import { serveFamily } from '../../shared/http/serve-family';
import { metricValues } from '../../shared/metrics/define-metrics';
import { INBOUND_METRICS } from '../../shared/metrics/outcome-metrics';
import { receiveNotificationRoute } from '../../shared/routes/receive-notification';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { newUlid } from '../../shared/runtime/ids';
import { functionLogger } from '../../shared/runtime/logger';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { randomBytes } from '../../shared/runtime/random';
import { type WideLine, wideLine } from '../../shared/runtime/wide-line';
import { aesSealer } from '../../shared/secrets/aes-sealer';
import { secretsManagerDataKeys } from '../../shared/secrets/data-keys';
import { inboundReceiver } from '../../shared/store/outcomes/inbound-store';
import { outsideOutcomeStore } from '../../shared/store/outcomes/outside-outcome-store';
import { screeningReader } from '../../shared/store/screening/screening-store';
import { openTable } from '../../shared/store/sdk/client';
import { type ReceiveNotificationDeps, receiveNotification } from '../../shared/usecases/outcomes/receive-notification';

/** Adyen repeats a notification until the response is exactly this; Stripe reads only the status. */
const ACCEPTED = '[accepted]';

export const build = (deps: EndpointDeps & ReceiveNotificationDeps & { readonly line: WideLine }) =>
  serveFamily([
    [
      receiveNotificationRoute,
      rawEndpoint(receiveNotificationRoute, deps, async ({ params, body, header }) => {
        const { provider = '', id: inbound_id = '' } = params;
        const signature = header('Stripe-Signature');
        const received = await receiveNotification(deps, { provider, inbound_id, body, signature });
        const { account_id, applied, held, unreadable } = received;
        const fields = { account_id, outcome: unreadable === undefined ? 'read' : 'set_aside' };
        const metrics = metricValues(INBOUND_METRICS, {
          InboundOutcomes: applied + held,
          InboundSetAside: unreadable === undefined ? 0 : 1,
        });
        deps.line.add({ fields, metrics });
        return ACCEPTED;
      }),
    ],
  ]);

const table = openTable(config.tableName());
const log = functionLogger('inbound');
const sealer = aesSealer(secretsManagerDataKeys(config.dataKeySecretId(), systemClock), randomBytes);

export const handler = build({
  clock: systemClock,
  log,
  line: wideLine(),
  newUlid,
  pseudonyms: pseudonymWiring(log),
  inbound: inboundReceiver(table, sealer),
  outside: outsideOutcomeStore(table),
  screenings: screeningReader(table),
});
