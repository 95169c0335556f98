import type { Request } from 'express';
import type { Endpoint } from '../../http/app.ts';
import type { Proxies } from '../../http/client-address.ts';
import { pollEndpoint } from '../../http/app.ts';
import { HttpError } from '../../http/errors.ts';
import { hostNameIn } from '../../http/hosts/host.ts';
import { isLoopback } from '../../http/metrics-access.ts';
import type { PageHosts } from '../../http/hosts/page-hosts.ts';

/** Proxies request this path before they obtain a certificate for a host name. */
export const DOMAIN_ALLOWED_PATH = '/internal/domain-allowed';

/** Headers that proxies add to a request that they forward. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'];

/**
 * `GET /internal/domain-allowed?domain=status.example.com`: 200 if a page is served at this host name, else 404. It
 * responds only to direct requests from this machine and the proxies in TRUST_PROXY. For all other clients the path
 * does not exist, because the response would reveal which pages exist.
 */
export const domainAllowed = (pageHosts: PageHosts, proxies: Proxies, answeredWithin?: number): Endpoint =>
  pollEndpoint(
    DOMAIN_ALLOWED_PATH,
    async (request) => {
      if (!isDirectRequest(request, proxies)) throw new HttpError(404, 'There is nothing at this path.');
      const name = hostNameIn(new URL(request.url, 'http://localhost').searchParams.get('domain') ?? '');
      const page = name === null ? null : await pageHosts.of(name);
      if (!page) throw new HttpError(404, 'No page is served at this domain.');
      return { status: 200, headers: {}, body: JSON.stringify({ domain: page.host }) };
    },
    answeredWithin,
  );

const isDirectRequest = ({ socket, headers }: Request, { isTrusted }: Proxies): boolean => {
  const peer = socket.remoteAddress ?? '';
  return (isLoopback(peer) || isTrusted(peer)) && FORWARDING_HEADERS.every((name) => headers[name] === undefined);
};
