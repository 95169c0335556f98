import type { Statuses } from '../projections/engine/status/statuses.ts';
import { StoreUnavailable } from '../stores/event-store/port.ts';

/**
 * Makes the log up to a position take effect immediately: until the read model has caught up, decisions read the log.
 *
 * @returns the position up to which the log is in effect from now on, regardless of the read model
 */
export type TakeEffect = (position: bigint) => bigint;

/** Decides whether a read model is current enough for access decisions, that is, contains all revocations. */
export interface AccessDecisions {
  /** the log position of the read model while it is current enough; otherwise null */
  version: () => bigint | null;
  /**
   * Returns the value from the read model if that is current enough, otherwise from the log. Falls back to the read
   * model if the log is unavailable.
   *
   * @throws StoreUnavailable the log is unavailable, and the read model is known to lack a revocation
   */
  decide: <T>(ofModel: T, inLog: () => Promise<T>) => Promise<T>;
  takeEffect: TakeEffect;
}

export interface AccessDecisionsOptions {
  statuses: Pick<Statuses, 'of' | 'lag' | 'isCurrent' | 'wantPosition'>;
  /** log position in effect from the first request on: includes initial keys and earlier revocations */
  from: bigint;
  /**
   * whether this process recently received the position that must be in effect (service/cluster/revocations.ts); default:
   * always
   */
  isInformed?: (() => boolean) | undefined;
}

/** Maximum lag of a read model that is current enough, seconds. */
const LATE = 1;

/** @param name of the read model */
export const createAccessDecisions = (
  name: string,
  { statuses, from, isInformed = () => true }: AccessDecisionsOptions,
): AccessDecisions => {
  /** position that the read model must have reached; never decreases */
  let inEffect = from;

  /** The position of the read model if it has reached the required one; otherwise null. */
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
