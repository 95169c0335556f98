import { ServerUnresponsive, type Responsiveness } from '../../responsiveness.ts';
import { messageOf } from '../../eventstoredb/failures.ts';
import type { SharedLog } from './log.ts';

/**
 * Wraps a log so that calls fail immediately with StoreUnavailable while the server does not respond.
 *
 * @param awaited whether appends wait for the outcome instead of failing. Pass true if no request waits for the
 * appends. If an append failed early, the server might still store its events, and a repeated append would then store
 * them twice
 */
export const whileResponsive = (log: SharedLog, answering: Responsiveness, awaited: boolean): SharedLog => ({
  ...log,
  append: (...given) => answering.call(() => log.append(...given), { awaited }),
  first: () => answering.call(() => log.first()),
  foreignTail: (...given) => answering.call(() => log.foreignTail(...given)),
  skipForeign: (...given) => answering.call(() => log.skipForeign(...given)),
  readStream: (...given) => answering.call(() => log.readStream(...given)),
  readAll: (...given) => answering.call(() => log.readAll(...given)),
  health: async () => {
    const { silence } = answering;
    return silence === null ? log.health() : { writable: false, message: messageOf(new ServerUnresponsive(silence)) };
  },
});
