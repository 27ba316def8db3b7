import { MAX_ECHOED } from '../domain/echo-limit';
import { type Fault, invalidRequest } from '../domain/errors';

/**
 * The faults of one request. The first are put into words, the others only counted: 64 KB can hold 32,000 faults, and
 * the words of each may repeat a path of many KB.
 */
export class FaultList {
  readonly #faults: Fault[] = [];
  #count = 0;

  add(fault: () => Fault): void {
    if (this.#count++ < MAX_ECHOED) this.#faults.push(fault());
  }

  names(field: string): boolean {
    return this.#faults.some((fault) => fault.field === field);
  }

  /** @throws DomainError if there are any */
  refuseIfAny(): void {
    if (this.#count > 0) throw invalidRequest(this.#faults, this.#count);
  }
}
