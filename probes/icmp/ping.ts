import type { Clock } from '../../network/clock.ts';
import { OwnTrouble } from '../../network/own-trouble.ts';
import type { Address } from '../../network/resolve.ts';
import type { runTool, ToolEnd } from '../engine/tool.ts';
import { argumentsOf, byLine, mostAddresses, readProbed, readRefusal, type Probed, type Refusal } from './fping.ts';
import type { Plan } from './plan.ts';

/** A run that waits for the requests to one address. */
export interface PingOptions {
  clock: Pick<Clock, 'after'>;
  /** leaves the process to the other runs; the call then rejects with the signal's reason */
  signal: AbortSignal;
  /** the fate of a request is known; called once for each */
  onProbed: (probed: Probed) => void;
  onRefusal: (refusal: Refusal) => void;
}

/**
 * Sends echo requests to an address, and resolves when each is answered or lost.
 *
 * @throws OwnTrouble fping could not do it
 */
export type Ping = (address: Address, plan: Plan, options: PingOptions) => Promise<void>;

/**
 * How long runs with an equal plan wait for each other, milliseconds. A process costs 5 ms of CPU time, another address
 * in it 0.2 ms, and the checks of a region are spread over their intervals.
 */
const GATHERING_MS = 100;

interface Waiter extends Pick<PingOptions, 'onProbed' | 'onRefusal'> {
  resolve: () => void;
  reject: (error: Error) => void;
}

/** An address to send to. */
interface Target {
  waiters: Set<Waiter>;
  /** the requests whose fate is known */
  known: Set<number>;
}

/** Runs that share a process. */
interface Group {
  /** those that a run still waits for, by address */
  targets: Map<string, Target>;
  begin: () => void;
  /** Nobody waits any more. */
  end: () => void;
}

/**
 * Runs that begin within a tenth of a second with an equal plan, to addresses of one family, share a process; those to
 * one address also share the requests.
 *
 * @param run starts fping
 */
export const createPing = (run: typeof runTool): Ping => {
  /** the groups that others may still join, by what their runs have in common */
  const gathering = new Map<string, Group>();

  const gather = (key: string, family: 4 | 6, plan: Plan, clock: Pick<Clock, 'after'>): Group => {
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

  const send = async (targets: Group['targets'], family: 4 | 6, plan: Plan, signal: AbortSignal): Promise<void> => {
    const onProbed = (probed: Probed): void => {
      const target = targets.get(probed.address);
      if (!target || target.known.has(probed.probe)) return;
      target.known.add(probed.probe);
      for (const waiter of target.waiters) waiter.onProbed(probed);
      if (target.known.size === plan.count) for (const waiter of target.waiters) waiter.resolve();
    };
    const onRefusal = (refusal: Refusal): void => {
      for (const waiter of targets.get(refusal.address)?.waiters ?? []) waiter.onRefusal(refusal);
    };
    try {
      const end = await run('fping', argumentsOf(family, plan, [...targets.keys()]), {
        signal,
        onOutput: byLine((line) => {
          const probed = readProbed(line);
          if (probed) onProbed(probed);
        }),
        onErrorOutput: byLine((line) => {
          const refusal = readRefusal(line);
          if (refusal) onRefusal(refusal);
        }),
      });
      throwIfFailed(end);
      // fping says nothing about requests that the system did not accept.
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
 * fping ends with 0 when all addresses have answered, with 1 when one has not, and with 2 when it does not know one,
 * since this machine does not have its zone (`fe80::1%eth7`). It sends to the others all the same.
 */
const ENDED_WELL: readonly (number | null)[] = [0, 1, 2];

const throwIfFailed = ({ code, signal, stderr }: ToolEnd): void => {
  if (ENDED_WELL.includes(code)) return;
  const how = signal === null ? `ended with code ${String(code)}` : `was ended by ${signal}`;
  const said = stderr.trim().split('\n').at(-1) ?? '';
  throw new OwnTrouble(`fping ${how}${said === '' ? '' : ` (${said})`}.`);
};
