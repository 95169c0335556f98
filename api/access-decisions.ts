import type { Statuses } from '../projections/engine/status/statuses.ts';
import { StoreUnavailable } from '../stores/event-store/port.ts';

/**
 * Makes all events up to a log position take effect immediately. Until the read model has reached this position,
 * access decisions read the log instead.
 *
 * @returns the highest position that is in effect now
 */
export type TakeEffect = (position: bigint) => bigint;

/**
 * Makes access decisions from a read model if the read model is certain to contain all revocations, otherwise from the
 * log.
 */
export interface AccessDecisions {
  /** Returns the log position of the read model, or null if the model might lack a revocation. */
  version: () => bigint | null;
  /**
   * Returns `ofModel`, the decision from the read model, if the read model is current enough. Otherwise calls `inLog`,
   * which decides from the log. Falls back to `ofModel` if the log is unavailable.
   *
   * @throws StoreUnavailable if the log is unavailable, and the read model is known to lack a revocation
   */
  decide: <T>(ofModel: T, inLog: () => Promise<T>) => Promise<T>;
  takeEffect: TakeEffect;
}

export interface AccessDecisionsOptions {
  statuses: Pick<Statuses, 'of' | 'lag' | 'isCurrent' | 'wantPosition'>;
  /**
   * Events up to this log position must be in effect from the first request on. They include the initial keys, and all
   * revocations before the start of this process.
   */
  from: bigint;
  /**
   * Returns whether this process was recently informed up to which log position revocations must be in effect
   * (service/cluster/revocations.ts). Default: always true.
   */
  isInformed?: (() => boolean) | undefined;
}

/** Maximum lag of a read model that counts as current, in seconds. */
const LATE = 1;

/** @param name name of the read model */
export const createAccessDecisions = (
  name: string,
  { statuses, from, isInformed = () => true }: AccessDecisionsOptions,
): AccessDecisions => {
  /** Position that the read model must have reached. Never decreases. */
  let inEffect = from;

  /** Returns the position of the read model, or null if the model has not reached the required position. */
  const reached = (): bigint | null => {
    const { position } = statuses.of(name);
    if (position < inEffect) statuses.wantPosition(name, inEffect);
    return position >= inEffect && isInformed() ? position : null;
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
