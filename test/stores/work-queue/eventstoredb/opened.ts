import {
  openEventStoreDbQueue,
  type EventStoreDbQueueOptions,
} from '../../../../stores/work-queue/eventstoredb/open.ts';
import type { WorkQueue } from '../../../../stores/work-queue/port.ts';
import { GROUP, streamOfRegion } from '../../../../stores/work-queue/eventstoredb/region-queue.ts';
import { connect } from '../../../../stores/eventstoredb/connection.ts';
import { ownPrefix } from '../../../servers/eventstoredb/leftovers.ts';
import { deleteStreams } from '../../event-store/eventstoredb/opened.ts';

/** Creates a new queue on a server. It can be opened several times, and `dispose` deletes its streams. */
export const openQueue = ({ url, real }: { url: string; real: boolean }, options: EventStoreDbQueueOptions = {}) => {
  const { prefix = ownPrefix() } = options;
  const openings: WorkQueue[] = [];
  const again = (): WorkQueue => {
    const queue = openEventStoreDbQueue(url, { ...options, prefix });
    openings.push(queue);
    return queue;
  };
  return {
    prefix,
    queue: again(),
    again,
    dispose: async (): Promise<void> => {
      const [first, ...others] = openings;
      const regions = real && first ? (await first.depths()).map(({ queue: name }) => name) : [];
      for (const queue of [...others, ...(first ? [first] : [])]) await queue.close();
      if (real) await deleteQueues(url, prefix, regions);
    },
  };
};

const deleteQueues = async (url: string, prefix: string, regions: readonly string[]): Promise<void> => {
  const { client, credentials, close } = connect(url);
  const streams = regions.map((region) => streamOfRegion(prefix, region));
  for (const stream of streams) await client.deletePersistentSubscriptionToStream(stream, GROUP, credentials);
  await close();
  await deleteStreams(url, streams);
};
