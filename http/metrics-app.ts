import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';
import { answeredError, send, type Answered } from './answer.ts';
import { ANSWERED_WITHIN, createDeadline } from './deadline.ts';
import { HttpError, methodNotAllowed } from './errors.ts';
import { mayReadMetrics } from './metrics-access.ts';

export interface MetricsAppDependencies {
  registry: Registry;
  /** METRICS_TOKEN; null: whoever reaches the port may read */
  token: string | null;
  /** aborted when the server begins to stop */
  stopping: AbortSignal;
}

/** `/metrics` and nothing else, for a separate port that only the collectors of metrics can reach. */
export const createMetricsApp = ({ registry, token, stopping }: MetricsAppDependencies): RequestListener => {
  return (request, response) => {
    const answer = async (): Promise<Answered> => {
      if (request.url?.split('?')[0] !== '/metrics') throw new HttpError(404, 'There is nothing at this path.');
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      if (token !== null && !mayReadMetrics(request, { token, loopback: false })) {
        const headers = { 'WWW-Authenticate': 'Bearer' };
        throw new HttpError(401, 'METRICS_TOKEN is needed in the Authorization header.', { headers });
      }
      return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() };
    };
    void createDeadline(ANSWERED_WITHIN)
      .within(answer())
      .catch(answeredError)
      .then((answered) => {
        // The body of such a request is ignored.
        request.resume();
        send(request, response, answered, { requestId: randomUUID(), closing: stopping.aborted });
      });
  };
};
