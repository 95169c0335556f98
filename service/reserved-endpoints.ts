import { resolveSrv } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import type { SocketAddress } from '../domain/target/policy.ts';
import { systemClock, type Clock } from '../network/clock.ts';
import type { Reserved, ReservedNow } from '../network/policy.ts';
import { systemResolve, type Resolve } from '../network/resolve.ts';
import { ownServersOf, type OwnServer, type OwnServersConfig } from './config/own-servers.ts';

/** What is asked about hosts, and about this machine. */
export interface Sources {
  resolve: Resolve;
  /** the servers that SRV records name */
  resolveServers: (name: string) => Promise<readonly { name: string; port: number }[]>;
  /** the addresses of this machine */
  machine: () => readonly string[];
}

const SYSTEM: Sources = {
  resolve: systemResolve,
  resolveServers: resolveSrv,
  machine: () => Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
};

export interface ReservedEndpoints extends ReservedNow {
  /** This process listens there from now on. */
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

/** How often names are looked up again, milliseconds. */
const LOOK_MS = 60_000;
/** How long an address counts after the last answer that had it: names of several servers are answered in turns. */
const KEEP_MS = 3_600_000;
/** How long the start waits for the first answers. */
const FIRST_MS = 5_000;

/**
 * Finds out where the servers of this service are, which only it may connect to, and again every minute. Resolves when it is known for the first
 * time; where names are not answered for soon, later.
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

  const now = (): Reserved => ({
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
        of?.set(`${endpoint.address} ${endpoint.port.toString()}`, { endpoint, until: time + KEEP_MS });
      failing.delete(server);
    } catch (error) {
      if (failing.has(server) || stopped) return;
      failing.add(server);
      // What was known of it goes on to count.
      logger.warn(
        { err: error, host: server.host },
        'a server of this service can not be looked up, so connections are not kept from it by its address',
      );
    }
  };

  const look = async (): Promise<void> => {
    const before = JSON.stringify(now());
    machine = sources.machine();
    await Promise.all(servers.map(lookUp));
    if (stopped) return;
    if (JSON.stringify(now()) !== before) for (const changed of callbacks) changed();
    cancel = clock.after(LOOK_MS, () => void look());
  };

  await new Promise<void>((resolve) => {
    const impatient = clock.after(FIRST_MS, resolve);
    void look().then(() => {
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
 * The same for the command line, looked up once. Servers that can't be are left out, and so is where a service listens:
 * there may be none here, and whoever enters commands can reach it anyway.
 */
export const reservedNow = async (config: OwnServersConfig, sources: Sources = SYSTEM): Promise<Reserved> => {
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
