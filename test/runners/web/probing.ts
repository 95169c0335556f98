import { createTargetPolicy, type TargetRules } from '../../../domain/target/policy.ts';
import type { Outcome } from '../../../runners/probe/check-type.ts';
import { systemClock } from '../../../network/clock.ts';
import { systemResolve, type Resolve } from '../../../network/resolve.ts';
import { runWeb } from '../../../runners/web/run.ts';

export interface Probing {
  parameters?: Record<string, unknown>;
  /** seconds; far more than any test takes unless it is about time-outs */
  timeout?: number;
  /** addresses by host name; nothing is looked up elsewhere */
  hosts?: Record<string, readonly string[]>;
  resolve?: Resolve;
  rules?: TargetRules;
  trust?: readonly string[];
  signal?: AbortSignal;
}

/** Looks names up in a table; an address is its own. Names under `.invalid` and others are not found. */
export const resolveIn =
  (hosts: Record<string, readonly string[]>): Resolve =>
  async (host) => {
    const found = hosts[host];
    if (found) return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (/^[\d.]+$|:/.test(host)) return systemResolve(host);
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  };

/** Runs one web check. */
export const probe = (url: string, given: Probing = {}): Promise<Outcome> =>
  runWeb(
    { type: 'web', url, host: null, port: null, timeout: given.timeout ?? 20, parameters: given.parameters ?? {} },
    {
      clock: systemClock,
      resolve: given.resolve ?? resolveIn(given.hosts ?? {}),
      policy: createTargetPolicy(given.rules ?? { policy: 'internal' }),
      signal: given.signal ?? new AbortController().signal,
      trust: given.trust ?? [],
    },
  );

/** What a run found out, without what differs each time. */
export const found = ({ status, reason, error_message }: Outcome) => ({ status, reason, error_message });

export const ok = { status: 'ok', reason: null, error_message: null };
