import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';
import { prepareError, sendResponse, type PreparedResponse } from './response.ts';
import { RESPONSE_DEADLINE_MS, createDeadline } from './deadline.ts';
import { HttpError, methodNotAllowed } from './errors.ts';
import { mayReadMetrics } from './metrics-access.ts';

export interface MetricsAppDependencies {
  registry: Registry;
  /** the value of METRICS_TOKEN; null: everybody who can reach the port is allowed to read */
  token: string | null;
  /** aborts when the server starts to stop */
  stopping: AbortSignal;
}

/** Creates a listener that serves only `/metrics`. It is for a separate port that only metrics collectors can reach. */
export const createMetricsApp = ({ registry, token, stopping }: MetricsAppDependencies): RequestListener => {
  return (request, response) => {
    const answer = async (): Promise<PreparedResponse> => {
      if (request.url?.split('?')[0] !== '/metrics') throw new HttpError(404, 'There is nothing at this path.');
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      if (token !== null && !mayReadMetrics(request, { token, loopback: false })) {
        const headers = { 'WWW-Authenticate': 'Bearer' };
        throw new HttpError(401, 'The Authorization header must contain METRICS_TOKEN.', { headers });
      }
      return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() };
    };
    void createDeadline(RESPONSE_DEADLINE_MS)
      .within(answer())
      .catch(prepareError)
      .then((answered) => {
        // The body of the request is ignored.
        request.resume();
        sendResponse(request, response, answered, { requestId: randomUUID(), closing: stopping.aborted });
      });
  };
};
