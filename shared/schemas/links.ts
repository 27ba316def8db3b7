import * as z from 'zod/mini';
import { warnings } from './conventions';
import { timestamp } from './text';

export const linkGraph = () =>
  z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        label: z.string(),
        user_id: z.optional(z.string()),
        confirmed_fraud: z.boolean(),
        users: z.int().check(z.gte(0)),
      }),
    ),
    edges: z.array(z.object({ from: z.string(), to: z.string(), since: timestamp() })),
    truncated: z.boolean(),
    warnings: warnings(),
  });
