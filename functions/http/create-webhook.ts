import { webhookUrlFault } from '../../shared/domain/webhooks/webhook-endpoint';
import { type AnswerOnceDeps, endpoint } from '../../shared/http/endpoint';
import { createdWebhookAnswer } from '../../shared/http/presenters/webhook-answer';
import { createWebhookRoute } from '../../shared/routes/webhooks';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionBasics } from '../../shared/runtime/function-basics';
import { newId, randomBytes } from '../../shared/runtime/ids';
import { aesSealer } from '../../shared/secrets/aes-sealer';
import { secretsManagerDataKeys } from '../../shared/secrets/data-keys';
import { idempotencyStore } from '../../shared/store/idempotency-store';
import { webhookReader, webhookRegistrar } from '../../shared/store/webhooks/webhook-store';
import {
  type CreatedWebhook,
  type CreateWebhookDeps,
  createWebhook,
  mayShowAgain,
} from '../../shared/usecases/webhooks/manage-webhooks';

type Deps = AnswerOnceDeps & CreateWebhookDeps & { readonly allowedCidrs: readonly string[] };

export const build = (deps: Deps) =>
  endpoint(
    createWebhookRoute,
    deps,
    async ({ caller, body, record }) => {
      const recordOf = record && ((created: CreatedWebhook) => record(createdWebhookAnswer(created)));
      return createdWebhookAnswer(await createWebhook(deps, caller, body, recordOf));
    },
    {
      bodyFaults: (body) => urlFaults(body, deps.allowedCidrs),
      mayReplay: (caller, created) => mayShowAgain(deps, caller, created),
    },
  );

function urlFaults(body: unknown, allowedCidrs: readonly string[]) {
  const url = (body as { url?: unknown } | null)?.url;
  const message = typeof url === 'string' ? webhookUrlFault(url, allowedCidrs) : undefined;
  return message ? [{ field: 'url', message }] : [];
}

const { table, ...basics } = functionBasics('create-webhook');
// The response recorded for an Idempotency-Key shows the secret, so it is sealed like the secret itself.
const sealer = aesSealer(secretsManagerDataKeys(config.dataKeySecretId(), systemClock), randomBytes);

export const handler = build({
  ...basics,
  newId,
  randomBytes,
  webhooks: { ...webhookRegistrar(table, sealer), find: webhookReader(table).find },
  answers: idempotencyStore(table, sealer),
  allowedCidrs: config.webhookAllowCidrs(),
});
