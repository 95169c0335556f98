import { TooMany } from '../../domain/errors.ts';
import type { CommandContext } from './context.ts';

/** Maximum numbers of commands of requests that are queued or running in this process. */
export interface QueueLimits {
  /** Maximum for one stream. Commands on one stream run one after another. */
  stream: number;
  /** Maximum for one organization, on all streams together. */
  organization: number;
}

const QUEUE_LIMITS: QueueLimits = { stream: 500, organization: 1_000 };

/** Value of `Retry-After`, in seconds. */
const RETRY_AFTER = 2;

/**
 * Creates a function that refuses a command of a request if the queue is so long that the request would time out.
 * Commands of the service itself are not limited. Requests without an organization are limited per stream only.
 *
 * @throws TooMany
 */
export const createQueueLimit = ({ stream: ofStream, organization: ofOrganization } = QUEUE_LIMITS) => {
  const streams = new Map<string, number>();
  const organizations = new Map<string, number>();
  return async <T>(
    stream: string,
    { organizationId, checkDeadline }: Pick<CommandContext, 'organizationId' | 'checkDeadline'>,
    task: () => Promise<T>,
  ): Promise<T> => {
    if (!checkDeadline) return task();
    const own = organizations.get(organizationId) ?? 0;
    if (organizationId !== '' && own >= ofOrganization) {
      throw new TooMany('Too many changes of this organization are queued. Please slow down.', RETRY_AFTER);
    }
    const queued = streams.get(stream) ?? 0;
    if (queued >= ofStream)
      throw new TooMany('Too many changes of this resource are queued. Please slow down.', RETRY_AFTER);
    organizations.set(organizationId, own + 1);
    streams.set(stream, queued + 1);
    try {
      return await task();
    } finally {
      decrement(organizations, organizationId);
      decrement(streams, stream);
    }
  };
};

const decrement = (counts: Map<string, number>, name: string): void => {
  const left = (counts.get(name) ?? 1) - 1;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
};
