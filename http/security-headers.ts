import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Directives of a Content-Security-Policy by name. */
export type Directives = Readonly<Record<string, readonly string[]>>;

/**
 * The headers of helmet, computed once per media type, since they are the same for all of its responses; this saves
 * each request a dozen calls. Names and values alternate, as for `writeHead`.
 *
 * @param embeddable whether pages of other origins may embed the response
 * @param referrer `same-origin` for pages with forms: with `no-referrer`, browsers send no origin with forms
 */
export const securityHeaders = (
  policy: Directives,
  embeddable = false,
  referrer: 'no-referrer' | 'same-origin' = 'no-referrer',
): readonly string[] => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const directives = Object.fromEntries(Object.entries(policy).map(([name, sources]) => [name, [...sources]]));
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // Subdomains of the host, such as those of a custom domain, may not be ours.
    strictTransportSecurity: { includeSubDomains: false },
    referrerPolicy: { policy: referrer },
    crossOriginResourcePolicy: { policy: embeddable ? 'cross-origin' : 'same-origin' },
  })(request, response, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [titled(name), String(value)]);
};

const titled = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
