import type { LinkGraph } from '../../domain/entities/entity-links';
import type { AnswerOf } from '../../schemas/answer-of';
import type { linkGraph } from '../../schemas/links';

/** The links around a user. */
export const linkGraphAnswer = ({ nodes, edges, truncated }: LinkGraph): AnswerOf<typeof linkGraph> => ({
  nodes,
  edges: edges.map(({ from, to, sinceMs }) => ({ from, to, since: new Date(sinceMs).toISOString() })),
  truncated,
});
