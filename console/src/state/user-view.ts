import { getLinks } from '../api/routes';
import type { LinkGraph } from '../api/types';
import { loader } from './loadable';

/** Who a user is connected with. */
interface UserLinks {
  readonly userId: string;
  readonly graph: LinkGraph;
}

const links = loader<UserLinks>();
export const linksView = links.state;

export const openLinks = (userId: string): Promise<void> =>
  links.load(
    async (abort) => ({ userId, graph: await getLinks(userId, abort) }),
    linksView.value.data?.userId === userId,
  );

export const closeUser = (): void => links.reset();
