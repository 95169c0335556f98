import { createTargetPolicy, type TargetRules } from '../../domain/target/policy.ts';
import { systemClock } from '../../network/clock.ts';
import { systemResolve, type Resolve } from '../../network/resolve.ts';
import type { Outcome, Registries, RunContext } from '../../probes/engine/check-type.ts';
import { createRunCache, type RunCache } from '../../probes/engine/run-cache.ts';

/** Overrides of the defaults of a test run. */
export interface TestRunOptions {
  /** values by environment variable; by default none */
  secrets?: Record<string, string>;
  parameters?: Record<string, unknown>;
  /** in seconds; the default is so long that only tests of time-outs reach it */
  timeout?: number;
  /** addresses by host name; other names are not resolved */
  hosts?: Record<string, readonly string[]>;
  resolve?: Resolve;
  rules?: TargetRules;
  trust?: readonly string[];
  signal?: AbortSignal;
  /** the cache; by default an empty one for each run */
  memory?: RunCache;
  fresh?: boolean;
  /** default: registries that can't be reached */
  registries?: Registries;
}

/** Returns a resolver that uses a table. An address resolves to itself, and an unknown name to nothing. */
export const resolveIn =
  (hosts: Record<string, readonly string[]>): Resolve =>
  async (host) => {
    const found = hosts[host];
    if (found) return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (/^[\d.]+$|:/.test(host)) return systemResolve(host);
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  };

/** Registries at closed ports, so that no test queries real ones. */
export const NO_REGISTRIES: Registries = {
  rdapBootstrapUrl: 'http://127.0.0.1:9/',
  whoisServer: { host: '127.0.0.1', port: 9 },
};

export const contextOf = (given: TestRunOptions): RunContext => ({
  clock: systemClock,
  resolve: given.resolve ?? resolveIn(given.hosts ?? {}),
  policy: createTargetPolicy(given.rules ?? { policy: 'internal' }),
  signal: given.signal ?? new AbortController().signal,
  trust: given.trust ?? [],
  memory: given.memory ?? createRunCache(systemClock),
  fresh: given.fresh ?? false,
  registries: given.registries ?? NO_REGISTRIES,
});

/** Returns the fields of an outcome that are the same in each run. */
export const verdictOf = ({ status, reason, error_message }: Outcome) => ({ status, reason, error_message });

export const ok = { status: 'ok', reason: null, error_message: null };
