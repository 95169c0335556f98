import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Directives of a Content-Security-Policy by name. */
export type Directives = Readonly<Record<string, readonly string[]>>;

/**
 * helmet's headers, computed once per media type: they are the same for all of its answers, and sending them from a
 * list saves each request a dozen calls. Names and values alternate, as `writeHead` takes them.
 *
 * @param embeddable whether pages of other origins may show the answer
 * @param referrer `same-origin` for pages with forms: without a referrer, browsers hide the origin of what a form sends
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
    // What else is below the host, such as a custom domain, is not ours.
    strictTransportSecurity: { includeSubDomains: false },
    referrerPolicy: { policy: referrer },
    crossOriginResourcePolicy: { policy: embeddable ? 'cross-origin' : 'same-origin' },
  })(request, response, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [titled(name), String(value)]);
};

const titled = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
