import { ServerUnresponsive, type Responsiveness } from '../../responsiveness.ts';
import { messageOf } from '../../eventstoredb/failures.ts';
import type { SharedLog } from './log.ts';

/**
 * A log on a server that may stop responding; calls then fail immediately as unavailable.
 *
 * @param awaited whether to keep waiting for the outcome of appends. Meant for appends that no request waits for: an
 * abandoned append may still be stored, and would be stored twice when it is repeated
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
