import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Nothing but scripts of the page's own origin; no eval, no inline script or style, no worker, no connection. */
export const STRICT_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  mjs: 'text/javascript',
};

/** Serves files from memory under a strict Content-Security-Policy. */
export async function servePages(pages: Readonly<Record<string, string>>, csp = STRICT_CSP) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const text = pages[path];
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? TYPES.html ?? '';
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': type, 'Content-Security-Policy': csp });
    response.end(text);
  });
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://localhost:${port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
