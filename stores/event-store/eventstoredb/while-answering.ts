import { NotAnswering, type Answering } from '../../answering.ts';
import { messageOf } from '../../eventstoredb/failures.ts';
import type { SharedLog } from './log.ts';

/**
 * A log on a server that may stop answering; then it is unavailable at once.
 *
 * @param awaited whether to wait for the outcome of an append even then. Meant for appends that no request waits for: one
 *   that is given up may be stored all the same, and stored again when it is repeated
 */
export const whileAnswering = (log: SharedLog, answering: Answering, awaited: boolean): SharedLog => ({
  ...log,
  append: (...given) => answering.call(() => log.append(...given), { awaited }),
  first: () => answering.call(() => log.first()),
  quiet: (...given) => answering.call(() => log.quiet(...given)),
  passOver: (...given) => answering.call(() => log.passOver(...given)),
  readStream: (...given) => answering.call(() => log.readStream(...given)),
  readAll: (...given) => answering.call(() => log.readAll(...given)),
  health: async () => {
    const { silence } = answering;
    return silence === null ? log.health() : { writable: false, message: messageOf(new NotAnswering(silence)) };
  },
});
