import { NotAnswering, type Answering } from '../../answering.ts';
import { messageOf } from '../../eventstoredb/failures.ts';
import type { EventStore } from '../port.ts';

/**
 * A log on a server that may stop answering: then it is unavailable at once.
 *
 * @param awaited whether what became of an append is waited for also then: where no request waits for it, since what
 *   is given up may be stored all the same, and again when it is repeated
 */
export const whileAnswering = (log: EventStore, answering: Answering, awaited: boolean): EventStore => ({
  ...log,
  append: (...given) => answering.call(() => log.append(...given), { awaited }),
  readStream: (...given) => answering.call(() => log.readStream(...given)),
  readAll: (...given) => answering.call(() => log.readAll(...given)),
  health: async () => {
    const { silence } = answering;
    return silence === null ? log.health() : { writable: false, message: messageOf(new NotAnswering(silence)) };
  },
});
