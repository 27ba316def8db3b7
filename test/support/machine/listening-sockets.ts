import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A socket that somebody can connect to. */
export interface ListeningSocket {
  readonly port: number;
  readonly isLoopback: boolean;
  /** The name of the program. */
  readonly program: string;
}

const LISTENING = '0A';
/** As /proc writes them: 127.0.0.1, ::1 and ::ffff:127.0.0.1, in words of the machine's byte order. */
const LOOPBACK = /^(?:0100007F|00000000000000000000000001000000|0000000000000000FFFF00000100007F)$/;

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      parents.set(Number(name), parentOf(Number(name)));
    } catch {
      // It has ended meanwhile.
    }
  }
  const tree = [root];
  for (const pid of tree) tree.push(...[...parents].filter(([, parent]) => parent === pid).map(([child]) => child));
  return tree;
}

function socketsOf(pid: number): ReadonlySet<string> {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

/** All that a process and its descendants listen on; undefined where there is no /proc to read it from. */
export function listeningSockets(pid: number): readonly ListeningSocket[] | undefined {
  if (process.platform !== 'linux') return undefined;
  const rows = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/)),
  );
  return treeOf(pid).flatMap((each) => {
    const own = socketsOf(each);
    const program = readFileSync(`/proc/${each}/comm`, 'utf8').trim();
    return rows
      .filter(([, , , state, , , , , , inode]) => state === LISTENING && own.has(inode ?? ''))
      .map(([, local = '']) => {
        const [address = '', port = ''] = local.split(':');
        return { port: Number.parseInt(port, 16), isLoopback: LOOPBACK.test(address), program };
      });
  });
}
