import type { Statuses } from '../projections/engine/status/statuses.ts';
import { StoreUnavailable } from '../stores/event-store/port.ts';

/**
 * Makes everything in the log up to a position take effect now: until the read model has caught up, the log is read.
 *
 * @returns the position up to which the log is in effect from now on, whatever happens to the read model
 */
export type TakeEffect = (position: bigint) => bigint;

/** Whether a read model can be trusted about rights: it has all that was taken from somebody. */
export interface InEffect {
  /** the position of the log that the read model has reached, while it can be trusted; otherwise null */
  version: () => bigint | null;
  /**
   * What the read model says, while it can be trusted or nothing else answers; otherwise what the log says.
   *
   * @throws StoreUnavailable the log does not answer, and the read model is known to lack something
   */
  decide: <T>(ofModel: T, inLog: () => Promise<T>) => Promise<T>;
  takeEffect: TakeEffect;
}

export interface InEffectOptions {
  statuses: Pick<Statuses, 'of' | 'lag' | 'isCurrent' | 'want'>;
  /** the log up to here is in effect from the first request on: what was made at the start, an earlier revocation */
  from: bigint;
  /** whether this process has just heard what must be in effect (service/cluster/given-up.ts); default: always */
  isTold?: (() => boolean) | undefined;
}

/** A read model that is further behind than this is late, seconds. */
const LATE = 1;

/** @param name of the read model */
export const createInEffect = (name: string, { statuses, from, isTold = () => true }: InEffectOptions): InEffect => {
  /** the read model is trusted once it has reached this position; it only grows */
  let inEffect = from;

  /** The position that the read model has reached, if all that must be in effect is in it; otherwise null. */
  const reached = (): bigint | null => {
    const { position } = statuses.of(name);
    if (position < inEffect) statuses.want(name, inEffect);
    return position >= inEffect && isTold() ? position : null;
  };

  const version = (): bigint | null => {
    const isLate = statuses.lag(name) > LATE;
    const isLive = statuses.of(name).state === 'live' && statuses.isCurrent(name);
    return isLive && !isLate ? reached() : null;
  };

  return {
    version,
    decide: async (ofModel, inLog) => {
      if (version() !== null) return ofModel;
      try {
        return await inLog();
      } catch (error) {
        if (error instanceof StoreUnavailable && reached() !== null) return ofModel;
        throw error;
      }
    },
    takeEffect: (position) => {
      inEffect = version() ?? inEffect;
      if (position > inEffect) inEffect = position;
      return inEffect;
    },
  };
};
