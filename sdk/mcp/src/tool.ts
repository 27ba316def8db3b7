import type * as z from 'zod';
import type { FraudScreening } from '../../client/src';

/** One tool: what the assistant reads of it, and what it does. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodRawShape;
  readonly changes: 'nothing' | 'a draft' | 'a decision';
  run(client: FraudScreening, input: never): Promise<object>;
}

/** Ties the input of `run` to the shape that is checked before it. */
export const defineTool = <Shape extends z.ZodRawShape>(
  tool: Omit<Tool, 'input' | 'run'> & {
    readonly input: Shape;
    run(client: FraudScreening, input: z.infer<z.ZodObject<Shape>>): Promise<object>;
  },
): Tool => tool;
