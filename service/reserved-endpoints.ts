import { resolveSrv } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import type { SocketAddress } from '../domain/target/policy.ts';
import { systemClock, type Clock } from '../network/clock.ts';
import type { ReservedTargets, CurrentReservedTargets } from '../network/policy.ts';
import { systemResolve, type Resolve } from '../network/resolve.ts';
import { ownServersOf, type OwnServer, type OwnServersConfig } from './config/own-servers.ts';

/** Sources of name lookups and of this machine's addresses. */
export interface Sources {
  resolve: Resolve;
  /** resolves SRV records to servers */
  resolveServers: (name: string) => Promise<readonly { name: string; port: number }[]>;
  /** the addresses of this machine */
  machine: () => readonly string[];
}

const SYSTEM: Sources = {
  resolve: systemResolve,
  resolveServers: resolveSrv,
  machine: () => Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
};

export interface ReservedEndpoints extends CurrentReservedTargets {
  /** Adds endpoints on which this process listens. */
  listening: (endpoints: readonly SocketAddress[]) => void;
  stop: () => void;
}

export interface ReservedEndpointsOptions {
  /** the servers, or the configuration that names them */
  config: OwnServersConfig | readonly OwnServer[];
  logger: Pick<Logger, 'warn'>;
  clock?: Pick<Clock, 'monotonic' | 'after'>;
  sources?: Sources;
}

/** Interval between lookups of names, milliseconds. */
const POLL_MS = 60_000;
/**
 * How long an address counts after the last DNS answer that contained it, milliseconds: names with several servers may
 * rotate their answers.
 */
const KEEP_MS = 3_600_000;
/** How long the start waits for the first lookups, milliseconds. */
const FIRST_MS = 5_000;

/**
 * Looks up the addresses of this service's servers, which only the service itself may connect to, and again every
 * minute. Resolves after the first lookups, but waits for slow ones only for a limited time.
 */
export const watchReserved = async (options: ReservedEndpointsOptions): Promise<ReservedEndpoints> => {
  const { config, logger, clock = systemClock, sources = SYSTEM } = options;
  const servers = 'smtpUrl' in config ? ownServersOf(config) : config;
  const known = servers.map(() => new Map<string, { endpoint: SocketAddress; until: number }>());
  const failing = new Set<OwnServer>();
  const listeners: SocketAddress[] = [];
  const callbacks: (() => void)[] = [];
  let machine: readonly string[] = [];
  let stopped = false;
  let cancel = (): void => undefined;

  const now = (): ReservedTargets => ({
    reserved: known.flatMap((endpoints) => [...endpoints.values()].map(({ endpoint }) => endpoint)),
    listeners,
    machine,
  });

  const lookUp = async (server: OwnServer, index: number): Promise<void> => {
    const of = known[index];
    try {
      const found = await endpointsOf(server, sources);
      const time = clock.monotonic();
      for (const [key, { until }] of of ?? []) if (until < time) of?.delete(key);
      for (const endpoint of found)
        of?.set(`${endpoint.address} ${endpoint.port}`, { endpoint, until: time + KEEP_MS });
      failing.delete(server);
    } catch (error) {
      if (failing.has(server) || stopped) return;
      failing.add(server);
      // The previously known addresses remain reserved.
      logger.warn(
        { err: error, host: server.host },
        'a server of this service cannot be looked up, so connections to its address are not blocked',
      );
    }
  };

  const lookUpAll = async (): Promise<void> => {
    const before = JSON.stringify(now());
    machine = sources.machine();
    await Promise.all(servers.map(lookUp));
    if (stopped) return;
    if (JSON.stringify(now()) !== before) for (const changed of callbacks) changed();
    cancel = clock.after(POLL_MS, () => void lookUpAll());
  };

  await new Promise<void>((resolve) => {
    const impatient = clock.after(FIRST_MS, resolve);
    void lookUpAll().then(() => {
      impatient();
      resolve();
    });
  });

  return {
    now,
    listening: (endpoints) => {
      listeners.push(...endpoints);
      for (const changed of callbacks) changed();
    },
    onChange: (changed) => {
      callbacks.push(changed);
    },
    stop: () => {
      stopped = true;
      cancel();
    },
  };
};

/**
 * The same for a command, looked up once. Servers that can't be looked up are left out, and so are the endpoints of a
 * running service: there may be none on this machine, and the operator can reach it anyway.
 */
export const reservedNow = async (config: OwnServersConfig, sources: Sources = SYSTEM): Promise<ReservedTargets> => {
  const found = await Promise.all(ownServersOf(config).map((server) => endpointsOf(server, sources).catch(() => [])));
  return { reserved: found.flat(), listeners: [], machine: sources.machine() };
};

const endpointsOf = async ({ host, port }: OwnServer, sources: Sources): Promise<SocketAddress[]> => {
  if (port !== null) return (await sources.resolve(host)).map(({ address }) => ({ address, port }));
  const servers = await sources.resolveServers(host);
  const found = await Promise.all(
    servers.map((server) => endpointsOf({ host: server.name, port: server.port }, sources)),
  );
  return found.flat();
};
