import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** The directives of a Content-Security-Policy, by name. */
export type Directives = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the security headers that helmet sets, as alternating names and values in the form that `writeHead` accepts.
 * They are the same for all responses of a media type, so they are computed once per media type instead of calling
 * helmet for each request.
 *
 * @param embeddable whether pages of other origins may embed the response
 * @param referrer `same-origin` for pages with forms: with `no-referrer`, browsers omit the origin when they submit a
 * form
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
    // Subdomains of the host may belong to others, for example the subdomains of a custom domain.
    strictTransportSecurity: { includeSubDomains: false },
    referrerPolicy: { policy: referrer },
    crossOriginResourcePolicy: { policy: embeddable ? 'cross-origin' : 'same-origin' },
  })(request, response, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [titled(name), String(value)]);
};

const titled = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
