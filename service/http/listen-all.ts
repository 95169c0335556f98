import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { isUrgent } from '../../http/app.ts';
import type { Proxies } from '../../http/client-address.ts';
import { createKindOf } from '../../http/connections/pools.ts';
import { createIsVisit, type PageHosts } from '../../http/hosts/page-hosts.ts';
import { listen, type ListenOptions, type RunningServer } from '../../http/listen.ts';
import { createMetricsApp } from '../../http/metrics-app.ts';
import type { DescribeChecks } from '../../http/metrics-response.ts';
import type { Config } from '../config/config.ts';
import { mostCallers, sharedConnections } from '../embedded/descriptors.ts';
import { OperatorError } from '../operator-error.ts';
import type { Plan } from '../plan.ts';

export interface ListenAllOptions {
  config: Config;
  plan: Pick<Plan, 'sockets'>;
  /** the host names of status pages; null: this process serves no pages */
  pageHosts: PageHosts | null;
  registry: Registry;
  /** returns the metrics of checks; absent: `/metrics` contains none */
  describeChecks?: DescribeChecks | undefined;
  logger: Logger;
}

/**
 * Starts the servers.
 *
 * @returns the server on `PORT`, and the server on `METRICS_PORT` if that is configured
 */
export const listenAll = async (
  app: Express,
  { config, plan: { sockets }, pageHosts, registry, describeChecks, logger }: ListenAllOptions,
  { proxies, stopping }: { proxies: Proxies; stopping: AbortController },
): Promise<[RunningServer, ...RunningServer[]]> => {
  const { host, port, metricsPort, metricsToken: token } = config;
  const limits = {
    perAddress: config.maxConnectionsPerAddress,
    exempt: proxies.isTrusted,
  };
  const most = mostCallers(config);
  const server = await listen(app, {
    host,
    port,
    ...inherited(sockets?.[0]),
    stopping,
    limits: { ...limits, ...sharedConnections(pageHosts ? config : { ...config, maxVisitors: 0 }, most) },
    isUrgent,
    kindOf: createKindOf(pageHosts ? createIsVisit(pageHosts) : undefined),
    clientOf: proxies.clientOf,
  });
  if (metricsPort === null) return [server];
  const figuresApp = createMetricsApp({ registry, describeChecks, token, stopping: stopping.signal });
  const total = Math.min(config.maxConnections, most);
  const place = { host, port: metricsPort, ...inherited(sockets?.[1]) };
  const figures = await listen(figuresApp, { ...place, stopping, limits: { ...limits, total } }).catch(
    async (error: unknown) => {
      await server.stop();
      throw error;
    },
  );
  if (sockets && metricsPort !== 0 && figures.port !== metricsPort) {
    await Promise.all([server.stop(), figures.stop()]);
    throw new OperatorError(
      `The second socket of the socket unit has port ${figures.port}, but METRICS_PORT is ${metricsPort}. Correct the order of its ListenStream= lines.`,
    );
  }
  logger.info({ port: figures.port }, '/metrics has its own port');
  return [server, figures];
};

/** @param fd file descriptor of a listening socket; undefined: the server opens one */
const inherited = (fd: number | undefined): Pick<ListenOptions, 'inherited'> =>
  fd === undefined ? {} : { inherited: fd };
