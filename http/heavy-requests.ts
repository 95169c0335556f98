import { tooMany } from './rate-limit.ts';

/** Limits of concurrent heavy requests. Routes with `heavy` count as heavy (http/routes/route.ts). */
export interface HeavyRequestLimits {
  /** maximum number of concurrent requests per organization */
  perOrganization: number;
  /** maximum number of concurrent requests per caller, so that a slow caller does not block its colleagues */
  perCaller: number;
  /** maximum number of queued requests per organization */
  maxQueued: number;
  /** maximum time in the queue, in milliseconds */
  maxWait: number;
}

export const HEAVY_REQUEST_LIMITS: HeavyRequestLimits = {
  perOrganization: 4,
  perCaller: 3,
  maxQueued: 200,
  maxWait: 5_000,
};

/** Seconds after which a refused caller may retry. */
const RETRY_AFTER = 5;

/** Releases the slot of a request. Further calls have no effect. */
export type ReleaseSlot = () => void;

/**
 * Acquires a slot for a heavy request of an organization, immediately or after waiting in a queue.
 *
 * @param caller key of the caller within the organization
 * @param signal aborts when no client waits for the response any more
 * @throws HttpError 429 with `Retry-After`: the queue is full, or the request has waited too long
 * @throws the reason of the signal
 */
export type AcquireSlot = (organizationId: string, caller: string, signal: AbortSignal) => Promise<ReleaseSlot>;

interface QueuedRequest {
  caller: string;
  begin: () => void;
}

interface Share {
  inProgress: number;
  callers: Map<string, number>;
  waiting: Set<QueuedRequest>;
}

export const createHeavyRequestLimit = (limits: HeavyRequestLimits = HEAVY_REQUEST_LIMITS): AcquireSlot => {
  const shares = new Map<string, Share>();

  const hasRoom = ({ inProgress, callers }: Share, caller: string): boolean =>
    inProgress < limits.perOrganization && (callers.get(caller) ?? 0) < limits.perCaller;

  const take = (organizationId: string, share: Share, caller: string): ReleaseSlot => {
    share.inProgress += 1;
    share.callers.set(caller, (share.callers.get(caller) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      share.inProgress -= 1;
      const others = (share.callers.get(caller) ?? 1) - 1;
      if (others > 0) share.callers.set(caller, others);
      else share.callers.delete(caller);
      for (const next of share.waiting) {
        if (hasRoom(share, next.caller)) {
          next.begin();
          break;
        }
      }
      forget(organizationId, share);
    };
  };

  const forget = (organizationId: string, share: Share): void => {
    if (share.inProgress === 0 && share.waiting.size === 0) shares.delete(organizationId);
  };

  return async (organizationId, caller, signal) => {
    signal.throwIfAborted();
    const share = shares.get(organizationId) ?? { inProgress: 0, callers: new Map(), waiting: new Set() };
    shares.set(organizationId, share);
    if (hasRoom(share, caller)) return take(organizationId, share, caller);
    if (share.waiting.size >= limits.maxQueued) throw tooMany(MESSAGE, RETRY_AFTER);
    return new Promise<ReleaseSlot>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', gone);
        share.waiting.delete(waiting);
      };
      const fail = (error: Error): void => {
        end();
        forget(organizationId, share);
        reject(error);
      };
      const gone = (): void => {
        fail(signal.reason as Error);
      };
      const waiting: QueuedRequest = {
        caller,
        begin: () => {
          end();
          resolve(take(organizationId, share, caller));
        },
      };
      const timer = setTimeout(() => {
        fail(tooMany(MESSAGE, RETRY_AFTER));
      }, limits.maxWait);
      // The timer must not keep the process running. A running server is kept running by its connections.
      timer.unref();
      signal.addEventListener('abort', gone, { once: true });
      share.waiting.add(waiting);
    });
  };
};

const MESSAGE = 'Too many long lists and reports of this organization are in progress. Please slow down.';
