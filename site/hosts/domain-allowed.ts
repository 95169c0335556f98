import type { Request } from 'express';
import type { Endpoint } from '../../http/app.ts';
import type { Proxies } from '../../http/client-address.ts';
import { reading } from '../../http/app.ts';
import { HttpError } from '../../http/errors.ts';
import { hostNameIn } from '../../http/hosts/host.ts';
import { isLoopback } from '../../http/metrics-access.ts';
import type { PageHosts } from '../../http/hosts/page-hosts.ts';

/** Where proxies ask whether they may get a certificate for a host name, before they do. */
export const DOMAIN_ALLOWED_PATH = '/internal/domain-allowed';

/** What proxies add to requests that they pass on for others. */
const PASSED_ON = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'];

/**
 * `GET /internal/domain-allowed?domain=status.example.com`: 200 where a page is served at this host name, else 404. It
 * answers this machine and the proxies of TRUST_PROXY when they ask for themselves; for everybody else there is nothing
 * at this path, since the answer shows which pages exist.
 */
export const domainAllowed = (pageHosts: PageHosts, proxies: Proxies, answeredWithin?: number): Endpoint =>
  reading(
    DOMAIN_ALLOWED_PATH,
    async (request) => {
      if (!asksForItself(request, proxies)) throw new HttpError(404, 'There is nothing at this path.');
      const name = hostNameIn(new URL(request.url, 'http://localhost').searchParams.get('domain') ?? '');
      const page = name === null ? null : await pageHosts.of(name);
      if (!page) throw new HttpError(404, 'No page is served at this domain.');
      return { status: 200, headers: {}, body: JSON.stringify({ domain: page.host }) };
    },
    answeredWithin,
  );

const asksForItself = ({ socket, headers }: Request, { isTrusted }: Proxies): boolean => {
  const peer = socket.remoteAddress ?? '';
  return (isLoopback(peer) || isTrusted(peer)) && PASSED_ON.every((name) => headers[name] === undefined);
};
