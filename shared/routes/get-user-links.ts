import * as z from 'zod/mini';
import { linkGraph } from '../schemas/links';
import { chosenId } from '../schemas/text';
import { defineRoute } from './define-route';

const user = { id: 'n_Jx0cH1b7mQz4Yt2K', type: 'user', label: 'user-42', confirmed_fraud: false, users: 1 };
const device = { id: 'n_b7mQz4Yt2KJx0cH1', type: 'device', label: 'device b7mQz4', confirmed_fraud: true, users: 2 };
const other = { id: 'n_Yt2KJx0cH1b7mQz4', type: 'user', label: 'user Yt2KJx', confirmed_fraud: true, users: 1 };

export const getUserLinksRoute = defineRoute({
  operation: 'get-user-links',
  family: 'explore',
  permission: 'read',
  method: 'GET',
  path: '/v1/users/{user_id}/links',
  tag: 'Users',
  summary: 'See who a user is connected with',
  description:
    'What the user was last seen with (devices, IP addresses, tracked attributes), and who else was seen with it: at most two hops and 50 nodes. The first node is the user. What more than 20 users share, such as an office, is shown but not walked through. `type` is `user`, `device`, `ip_address` or `attribute:<key>`; labels name nobody. `users` counts the last 30 to 60 days. `truncated` says that more is known than is shown. New links appear within two minutes.',
  params: z.object({ user_id: chosenId('user') }),
  success: {
    status: 200,
    description: 'Nodes, and edges from users to what they used.',
    schema: linkGraph,
    example: {
      nodes: [user, device, other],
      edges: [
        { from: user.id, to: device.id, since: '2026-11-01T08:00:00.000Z' },
        { from: other.id, to: device.id, since: '2026-11-12T21:14:03.120Z' },
      ],
      truncated: false,
    },
  },
  errors: ['not_found'],
});
