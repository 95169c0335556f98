import { createTargetPolicy, type TargetRules } from '../../domain/target/policy.ts';
import { systemClock } from '../../network/clock.ts';
import { systemResolve, type Resolve } from '../../network/resolve.ts';
import type { Outcome, Registries, RunContext } from '../../probes/engine/check-type.ts';
import { createRunCache, type RunCache } from '../../probes/engine/run-cache.ts';

/** Overrides of a test run's defaults. */
export interface TestRunOptions {
  /** values by environment variable; none otherwise */
  secrets?: Record<string, string>;
  parameters?: Record<string, unknown>;
  /** seconds; far more than any test takes unless it is about time-outs */
  timeout?: number;
  /** addresses by host name; nothing is looked up elsewhere */
  hosts?: Record<string, readonly string[]>;
  resolve?: Resolve;
  rules?: TargetRules;
  trust?: readonly string[];
  signal?: AbortSignal;
  /** an empty one for each run otherwise */
  memory?: RunCache;
  fresh?: boolean;
  /** default: unreachable ones */
  registries?: Registries;
}

/**
 * Resolves names from a table; an address resolves to itself. Unknown names, such as those under `.invalid`, are not
 * found.
 */
export const resolveIn =
  (hosts: Record<string, readonly string[]>): Resolve =>
  async (host) => {
    const found = hosts[host];
    if (found) return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (/^[\d.]+$|:/.test(host)) return systemResolve(host);
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  };

/** Closed ports, so that no test queries real registries. */
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

/** The outcome of a run without values that vary. */
export const verdictOf = ({ status, reason, error_message }: Outcome) => ({ status, reason, error_message });

export const ok = { status: 'ok', reason: null, error_message: null };
