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
 */
export const securityHeaders = (policy: Directives, embeddable = false): readonly string[] => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const directives = Object.fromEntries(Object.entries(policy).map(([name, sources]) => [name, [...sources]]));
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    crossOriginResourcePolicy: { policy: embeddable ? 'cross-origin' : 'same-origin' },
  })(request, response, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [titled(name), String(value)]);
};

const titled = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
