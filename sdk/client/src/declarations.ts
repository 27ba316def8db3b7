import { type CallOptions, pathOf, Resource } from './request';
import type * as api from './types';

abstract class Declarations<Request extends object, One, All> extends Resource {
  protected abstract readonly path: string;

  /** Declares it, or changes it; omitted members take their defaults. */
  put(name: string, request: Request, options?: CallOptions): Promise<One> {
    return this.send({ method: 'PUT', path: pathOf(`${this.path}/{}`, name), body: request, options });
  }

  list(options?: CallOptions): Promise<All> {
    return this.send({ method: 'GET', path: this.path, options });
  }

  /** Throws `in_use` while a rule or counter needs it. */
  delete(name: string, options?: CallOptions): Promise<void> {
    return this.remove({ path: pathOf(`${this.path}/{}`, name), options });
  }
}

/** How custom attributes are read, by their keys. */
export class Attributes extends Declarations<api.PutAttributeRequest, api.Attribute, api.AttributeList> {
  protected readonly path = '/v1/attributes';
}

export class EventTypes extends Declarations<api.PutEventTypeRequest, api.DeclaredEventType, api.EventTypeList> {
  protected readonly path = '/v1/event-types';
}

export class Counters extends Declarations<api.PutCounterRequest, api.Counter, api.CounterList> {
  protected readonly path = '/v1/counters';

  get(name: string, options?: CallOptions): Promise<api.Counter> {
    return this.send({ method: 'GET', path: pathOf('/v1/counters/{}', name), options });
  }
}
