import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * helmet's headers, asked for once: they are the same for every answer, and sending them from a list
 * spares each request a dozen calls. Names and values alternate, as `writeHead` takes them.
 */
export const securityHeaders = (): readonly string[] => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet({
    // Answers are data: nothing in them may be loaded, run or framed.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
  })(request, response, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [titled(name), String(value)]);
};

const titled = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
