import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';
import { prepareError, sendResponse, type PreparedResponse } from './response.ts';
import { RESPONSE_DEADLINE_MS, createDeadline } from './deadline.ts';
import { HttpError, methodNotAllowed } from './errors.ts';
import { mayReadMetrics } from './metrics-access.ts';
import { metricsResponse, type DescribeChecks } from './metrics-response.ts';

export interface MetricsAppDependencies {
  registry: Registry;
  /** returns the metrics of checks; absent: `/metrics` contains none */
  describeChecks?: DescribeChecks | undefined;
  /** the value of METRICS_TOKEN; null: everybody who can reach the port is allowed to read */
  token: string | null;
  /** aborts when the server starts to stop */
  stopping: AbortSignal;
}

/** Creates a listener that serves only `/metrics`. It is for a separate port that only metrics collectors can reach. */
export const createMetricsApp = ({
  registry,
  describeChecks,
  token,
  stopping,
}: MetricsAppDependencies): RequestListener => {
  return (request, response) => {
    const answer = async (): Promise<PreparedResponse> => {
      if (request.url?.split('?')[0] !== '/metrics') throw new HttpError(404, 'There is nothing at this path.');
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      if (token !== null && !mayReadMetrics(request, { token, loopback: false })) {
        const headers = { 'WWW-Authenticate': 'Bearer' };
        throw new HttpError(401, 'The Authorization header must contain METRICS_TOKEN.', { headers });
      }
      return metricsResponse(registry, describeChecks, null);
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
