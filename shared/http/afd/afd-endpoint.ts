import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Caller } from '../../domain/accounts/account';
import type { Permission } from '../../domain/accounts/role';
import { DomainError } from '../../domain/errors';
import { callerOf, requirePermission } from '../caller';
import { type EndpointDeps, requestLog } from '../endpoint';
import { FaultList, schemaFault } from '../faults';
import { fenceParsedBody, fenceRawBody, requireUtf8 } from '../fenced-body';
import { headerOf } from '../parse-input';
import { afdException } from './afd-exception';

const MEDIA_TYPE = 'application/x-amz-json-1.1';
const TARGET = /^AWSHawksNestServiceFacade\.([A-Za-z]{1,64})$/;

export interface AfdOperation {
  readonly permission: Permission;
  readonly schema: z.ZodMiniType;
  readonly run: (caller: Caller, input: unknown) => Promise<object>;
}

/** Keeps the type of the input: the only cast after the runtime check. */
export const afdOperation = <Schema extends z.ZodMiniType>(
  permission: Permission,
  schema: Schema,
  run: (caller: Caller, input: z.output<Schema>) => Promise<object>,
): AfdOperation => ({ permission, schema, run: run as AfdOperation['run'] });

/** Serves operations of Amazon Fraud Detector by its own protocol: JSON 1.1, the operation in `X-Amz-Target`. */
export function afdEndpoint(deps: EndpointDeps, operations: Readonly<Record<string, AfdOperation>>) {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(requestLog({ operation: 'afd' }, deps))
    .onError((request) => {
      request.response = refusal(request.error, deps);
    })
    .handler(async (event) => {
      const name = TARGET.exec(headerOf(event, 'X-Amz-Target') ?? '')?.[1];
      const operation = name !== undefined && Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (!operation) throw unknownOperation(operations);
      deps.line?.add({ fields: { afd_operation: name }, metrics: [] });
      requirePermission(operation, event);
      return reply(200, await operation.run(callerOf(event), inputOf(operation, event)));
    });
}

const reply = (statusCode: number, body: object): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': MEDIA_TYPE, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  body: JSON.stringify(body),
});

const unknownOperation = (operations: object): DomainError =>
  new DomainError(
    'invalid_request',
    `X-Amz-Target must be AWSHawksNestServiceFacade.<operation>, one of ${Object.keys(operations).join(', ')}.`,
  );

function inputOf({ schema }: AfdOperation, event: APIGatewayProxyEvent): unknown {
  requireUtf8(event);
  const text = event.body ?? '';
  fenceRawBody(text, headerOf(event, 'Content-Type'), { type: MEDIA_TYPE });
  const body = parsed(text);
  fenceParsedBody(body);
  const result = schema.safeParse(body);
  const faults = new FaultList();
  for (const issue of result.error?.issues ?? []) faults.add(() => schemaFault(issue, body, 'body'));
  faults.refuseIfAny();
  return result.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('invalid_request', 'The body is not valid JSON.');
  }
}

/** An error without our mark is a bug: neutral text, full cause logged. */
function refusal(error: unknown, { log }: EndpointDeps): APIGatewayProxyResult {
  const known = error instanceof DomainError ? error : undefined;
  if (!known) log.error('unhandled error', { error });
  else if (known.cause) log.error('dependency failed', { code: known.code, error: known.cause });
  const told = known ?? new DomainError('internal_error', 'Internal error. Try again later.');
  const { type, status } = afdException(told);
  return reply(status, { __type: type, message: told.message });
}
