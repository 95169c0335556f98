import { setImmediate as turn } from 'node:timers/promises';
import { headText, NO_EVENTS, nextHead, type LogHead } from '../../domain/log/head.ts';
import { DamagedEvent, type EventStore } from '../../stores/event-store/port.ts';

/** How a log differs from heads that were recorded earlier. */
export interface LogDifference {
  /**
   * `changed`: an event up to `up_to` was changed, left out or reordered; `short`: the log has fewer events than the
   * head; `damaged`: an event is unreadable
   */
  kind: 'changed' | 'short' | 'damaged';
  /** number of events at the beginning of the log that are proven to be unchanged */
  sound: number;
  /**
   * The first difference is at one of the events with the numbers `sound` + 1 to `up_to`. Events are numbered from 1.
   */
  up_to: number;
  sentence: string;
}

export interface VerifiedHeads {
  /** the current head of the log; null if the log could not be read to its end */
  head: LogHead | null;
  difference: LogDifference | null;
}

export interface ReadLogOptions {
  log: Pick<EventStore, 'name' | 'readAll'>;
  signal: AbortSignal;
}

const PAGE = 1_000;

/**
 * Reads a log from its beginning.
 *
 * @param onEvent called after each event, with the head of the log up to that event; if `onEvent` returns false,
 * reading stops
 */
const read = async ({ log, signal }: ReadLogOptions, onEvent: (head: LogHead) => boolean): Promise<void> => {
  let head = NO_EVENTS;
  for (let after = 0n; ;) {
    const page = await log.readAll({ after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return;
    for (const event of page) {
      head = nextHead(head, event);
      if (!onEvent(head)) return;
    }
    after = last.position;
    // Yields to the event loop, so that a signal handler can run between two pages.
    await turn();
    signal.throwIfAborted();
  }
};

/** Computes the current head of a log. @throws DamagedEvent */
export const computeHead = async (options: ReadLogOptions): Promise<LogHead> => {
  let head = NO_EVENTS;
  await read(options, (grown) => {
    head = grown;
    return true;
  });
  return head;
};

/** Compares a log with recorded heads in one pass. Several heads narrow down where the log differs. */
export const verifyHeads = async (recorded: readonly LogHead[], options: ReadLogOptions): Promise<VerifiedHeads> => {
  const waiting = [...recorded].sort((a, b) => a.events - b.events);
  const { name } = options.log;
  let sound = 0;
  let head = NO_EVENTS;
  let changed: LogHead | undefined;
  const compare = (grown: LogHead): boolean => {
    head = grown;
    while (!changed && waiting[0]?.events === grown.events) {
      const one = waiting.shift();
      if (one?.hash.equals(grown.hash)) sound = grown.events;
      else changed = one;
    }
    return !changed;
  };
  try {
    await read(options, compare);
  } catch (error) {
    if (!(error instanceof DamagedEvent)) throw error;
    const at = head.events + 1;
    const sentence = `Event ${at} of the log ${name} is unreadable: ${error.message}`;
    return { head: null, difference: { kind: 'damaged', sound, up_to: at, sentence } };
  }
  if (changed) {
    const sentence =
      `The log ${name} does not match this head: one of ${spanOf(sound, changed.events)} was ` +
      `changed, left out, added or reordered since (${headText(changed)}).`;
    return { head: null, difference: { kind: 'changed', sound, up_to: changed.events, sentence } };
  }
  const [longer] = waiting;
  if (longer) {
    const sentence =
      `The log ${name} has only ${head.events} events, but this head covers ${longer.events}: some ` +
      `${afterwards(sound)} were left out, or an older copy was restored (${headText(longer)}).`;
    return { head, difference: { kind: 'short', sound, up_to: longer.events, sentence } };
  }
  return { head, difference: null };
};

const afterwards = (sound: number): string => (sound === 0 ? 'of them' : `after its first ${sound}`);

const spanOf = (sound: number, upTo: number): string =>
  sound === 0 ? `its first ${upTo} events` : `its events ${sound + 1} to ${upTo}`;
