import type { Clock } from '../../network/clock.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import type { Address } from '../../network/resolve.ts';
import type { runTool, ToolEnd } from '../engine/tool.ts';
import {
  argumentsOf,
  byLine,
  mostAddresses,
  parseEchoResult,
  parseIcmpError,
  type EchoResult,
  type IcmpError,
} from './fping.ts';
import type { PingPlan } from './plan.ts';

/** Options of a ping of one address. */
export interface PingOptions {
  clock: Pick<Clock, 'after'>;
  /**
   * detaches this run from the process that it shares with other runs; the promise then rejects with the signal's
   * reason
   */
  signal: AbortSignal;
  /** called one time per request, as soon as the request was answered or lost */
  onProbed: (probed: EchoResult) => void;
  onRefusal: (refusal: IcmpError) => void;
}

/**
 * Pings an address. Resolves when every request was answered or lost.
 *
 * @throws LocalFailure if fping failed
 */
export type Ping = (address: Address, plan: PingPlan, options: PingOptions) => Promise<void>;

/**
 * How long runs with equal plans are collected for one process, in milliseconds. Sharing a process saves CPU time: a
 * process costs 5 ms, and each further address only 0.2 ms.
 */
const GATHERING_MS = 100;

interface Waiter extends Pick<PingOptions, 'onProbed' | 'onRefusal'> {
  resolve: () => void;
  reject: (error: Error) => void;
}

/** An address to ping. */
interface Target {
  waiters: Set<Waiter>;
  /** indexes of the requests with a known outcome */
  known: Set<number>;
}

/** Runs that share an fping process. */
interface Group {
  /** the addresses for which a run still waits */
  targets: Map<string, Target>;
  begin: () => void;
  /** Called when no run waits any more. */
  end: () => void;
}

/**
 * Creates a `Ping` that shares fping processes between runs. Runs with equal plans for addresses of one family share a
 * process if they begin within a tenth of a second. If they ping the same address, they also share the requests.
 *
 * @param run starts fping
 */
export const createPing = (run: typeof runTool): Ping => {
  /** groups that further runs may still join, by family and plan */
  const gathering = new Map<string, Group>();

  const gather = (key: string, family: 4 | 6, plan: PingPlan, clock: Pick<Clock, 'after'>): Group => {
    const ending = new AbortController();
    const targets: Group['targets'] = new Map();
    const close = (): void => {
      cancel();
      gathering.delete(key);
    };
    const group: Group = {
      targets,
      begin: () => {
        close();
        void send(targets, family, plan, ending.signal);
      },
      end: () => {
        if (gathering.get(key) === group) close();
        ending.abort(new Error('Nobody waits for fping any more.'));
      },
    };
    const cancel = clock.after(GATHERING_MS, group.begin);
    gathering.set(key, group);
    return group;
  };

  const send = async (targets: Group['targets'], family: 4 | 6, plan: PingPlan, signal: AbortSignal): Promise<void> => {
    const onProbed = (probed: EchoResult): void => {
      const target = targets.get(probed.address);
      if (!target || target.known.has(probed.probe)) return;
      target.known.add(probed.probe);
      for (const waiter of target.waiters) waiter.onProbed(probed);
      if (target.known.size === plan.count) for (const waiter of target.waiters) waiter.resolve();
    };
    const onRefusal = (refusal: IcmpError): void => {
      for (const waiter of targets.get(refusal.address)?.waiters ?? []) waiter.onRefusal(refusal);
    };
    try {
      const end = await run('fping', argumentsOf(family, plan, [...targets.keys()]), {
        signal,
        onOutput: byLine((line) => {
          const probed = parseEchoResult(line);
          if (probed) onProbed(probed);
        }),
        onErrorOutput: byLine((line) => {
          const refusal = parseIcmpError(line);
          if (refusal) onRefusal(refusal);
        }),
      });
      throwIfFailed(end);
      // fping reports nothing about requests that the system did not accept.
      for (const [address] of targets)
        for (let probe = 0; probe < plan.count; probe++) onProbed({ address, probe, latency: null });
    } catch (error) {
      for (const { waiters } of targets.values()) for (const waiter of waiters) waiter.reject(error as Error);
    }
  };

  return (address, plan, { clock, signal, onProbed, onRefusal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const key = [address.family, plan.count, plan.interval, plan.timeout].join();
      const group = gathering.get(key) ?? gather(key, address.family, plan, clock);
      const { targets } = group;
      const target = targets.get(address.address) ?? { waiters: new Set(), known: new Set() };
      const leave = (): void => {
        signal.removeEventListener('abort', onAbort);
        target.waiters.delete(waiter);
        if (target.waiters.size === 0) targets.delete(address.address);
      };
      const onAbort = (): void => {
        leave();
        if (targets.size === 0) group.end();
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        onProbed,
        onRefusal,
        resolve: () => {
          leave();
          resolve();
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort);
      target.waiters.add(waiter);
      targets.set(address.address, target);
      if (targets.size >= mostAddresses(plan)) group.begin();
    });
};

/**
 * Exit codes of fping that are no failure: 0 if all addresses replied, 1 if at least one did not reply, and 2 if an
 * address has a zone that this machine lacks (`fe80::1%eth7`). With code 2, fping has pinged the other addresses.
 */
const ENDED_WELL: readonly (number | null)[] = [0, 1, 2];

const throwIfFailed = ({ code, signal, stderr }: ToolEnd): void => {
  if (ENDED_WELL.includes(code)) return;
  const how = signal === null ? `ended with code ${String(code)}` : `was ended by ${signal}`;
  const said = stderr.trim().split('\n').at(-1) ?? '';
  throw new LocalFailure(`fping ${how}${said === '' ? '' : ` (${said})`}.`);
};
