import { resolveSrv } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import type { SocketAddress } from '../domain/target/policy.ts';
import { systemClock, type Clock } from '../network/clock.ts';
import type { ReservedTargets, CurrentReservedTargets } from '../network/policy.ts';
import { systemResolve, type Resolve } from '../network/resolve.ts';
import { ownServersOf, type OwnServer, type OwnServersConfig } from './config/own-servers.ts';

/** Sources for the addresses of names and of this machine. */
export interface Sources {
  resolve: Resolve;
  /** resolves SRV records to servers */
  resolveServers: (name: string) => Promise<readonly { name: string; port: number }[]>;
  /** returns the addresses of this machine */
  machine: () => readonly string[];
}

const SYSTEM: Sources = {
  resolve: systemResolve,
  resolveServers: resolveSrv,
  machine: () => Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
};

export interface ReservedEndpoints extends CurrentReservedTargets {
  /** Adds addresses on which this process listens. */
  listening: (endpoints: readonly SocketAddress[]) => void;
  stop: () => void;
}

export interface ReservedEndpointsOptions {
  /** the servers, or the configuration with their names */
  config: OwnServersConfig | readonly OwnServer[];
  logger: Pick<Logger, 'warn'>;
  clock?: Pick<Clock, 'monotonic' | 'after'>;
  sources?: Sources;
}

/** Interval between look-ups of names, in milliseconds. */
const POLL_MS = 60_000;
/**
 * Time after a DNS response in which the addresses of the response stay reserved, in milliseconds. The responses for a
 * name with several servers may rotate, so a single response may lack some of them.
 */
const KEEP_MS = 3_600_000;
/** Maximum time that the start waits for the first look-ups, in milliseconds. */
const FIRST_MS = 5_000;

/**
 * Looks up the addresses of this service's own servers, to which only the service itself may connect. Repeats the
 * look-ups every minute. Resolves after the first look-ups, but waits only a limited time for slow ones.
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
      // Addresses that were found earlier remain reserved.
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
 * Looks up the reserved addresses one time, for a command. Omits servers that can't be looked up. Also omits the
 * addresses of a running service: the service may be on another machine, and the operator can reach it anyway.
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
