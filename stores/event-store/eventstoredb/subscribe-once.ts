import { setImmediate as turn } from 'node:timers/promises';
import { START, type AllStreamResolvedEvent } from '@eventstore/db-client';
import type { Connection } from '../../eventstoredb/connection.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { NoResponse } from '../../eventstoredb/failures.ts';
import { StoreUnavailable } from '../port.ts';
import { streamFilterTest, type LogStreams, type StreamFilter } from './log-streams.ts';
import type { ForeignStretch } from './foreign-stretch.ts';
import { readNewest, toRecordedEvent } from './read.ts';
import { subscribeToLog } from './subscription.ts';

/** Maximum number of events in an array. */
const MAX_ARRAY = 1_000;
/** Number of the newest events that are read to check the end of the log. */
const NEWEST = 64;

export interface TailSettings {
  /** position of the last event that was delivered, or of a later foreign event; 0n: the start */
  after: bigint;
  filter: StreamFilter;
  /** ends the subscription */
  signal: AbortSignal;
  /** milliseconds without a message after which the end of the log is checked for undelivered events */
  patience: number;
  /** called with a stretch that contains no event of the log; a new subscription may begin after it */
  onForeignStretch: (quiet: ForeignStretch) => void;
}

/**
 * Runs one catch-up subscription until it fails or the signal aborts; does not reconnect. Delivers the events after a
 * position in arrays. A connection can die without an error. So if a subscription sends nothing for a while, this
 * function reads the end of the log, to find out whether the subscription should have delivered something.
 *
 * @throws the client's errors; StoreUnavailable if the server has closed the subscription, does not respond, or does
 * not deliver existing events
 */
export async function* subscribeOnce(
  connection: Connection,
  streams: LogStreams,
  { after, filter, signal, patience, onForeignStretch }: TailSettings,
): AsyncGenerator<RecordedEvent[], void, undefined> {
  let last = after;
  /** position of the last message of any kind */
  let latest = after;
  /**
   * position up to which the server has searched. The server reports this position only when the subscription has
   * reached the end of the log
   */
  let reached = after;
  const { subscription, leave } = subscribeToLog(connection, {
    from: after === 0n ? START : after,
    filter,
    checkpoint: ({ commit, prepare }) => {
      latest = commit;
      if (prepare === commit) reached = commit;
      wake();
    },
  });

  let wake = (): void => undefined;
  let ended: { error: unknown } | null = null;
  const end = (error: unknown): void => {
    ended ??= { error };
    wake();
  };
  const stop = (): void => {
    end(null);
  };
  const closed = new StoreUnavailable('EventStoreDB is not available: it has closed a subscription.');
  subscription.on('readable', () => {
    wake();
  });
  subscription.on('confirmation', connection.responded);
  subscription.on('error', end);
  subscription.on('end', () => {
    end(closed);
  });
  subscription.on('close', () => {
    end(closed);
  });
  signal.addEventListener('abort', stop);

  const takeReady = (): RecordedEvent[] => {
    const ready: RecordedEvent[] = [];
    while (ready.length < MAX_ARRAY) {
      const item = subscription.read() as AllStreamResolvedEvent | null;
      if (!item) break;
      if (!item.event || item.event.type.startsWith('$')) continue;
      latest = item.event.position.commit;
      if (latest > last && streams.contains(item.event.streamId)) ready.push(toRecordedEvent(item, streams));
    }
    return ready;
  };

  /** Records that all events up to a position have been delivered. */
  const passOver = (to: bigint): void => {
    if (to <= last) return;
    onForeignStretch({ from: last, to });
    last = to;
  };

  /** Waits for the next message. Returns false if none arrived within `patience`. */
  const message = async (): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const came = await new Promise<boolean>((resolve) => {
      wake = () => {
        resolve(true);
      };
      timer = setTimeout(() => {
        resolve(false);
      }, patience);
    });
    clearTimeout(timer);
    wake = () => undefined;
    // Waits for further messages that have arrived with this one: one array of many events costs less than many arrays.
    if (came) await turn();
    return came;
  };

  try {
    for (let doubtful = false; ;) {
      if (signal.aborted) return;
      // The server has sent all events before `reached`. If none of these events is buffered here, all of them have
      // been delivered.
      const overAll = reached;
      const ready = takeReady();
      if (ready.length === 0) passOver(overAll);
      if (ready.length > 0) {
        last = ready.at(-1)?.position ?? last;
        doubtful = false;
        yield ready;
        continue;
      }
      const over = ended as { error: unknown } | null;
      if (over) throw over.error;
      if (await message()) {
        doubtful = false;
        continue;
      }
      if (doubtful) throw new NoResponse();
      // An undelivered event may still be in transit. So the subscription is assumed to be dead only if it still sends
      // nothing until the next check.
      const check = await checkEnd(connection, streams, filter, { last, heard: latest }, patience);
      doubtful = check.owes;
      if (!check.owes) passOver(check.quietTo);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    leave();
  }
}

/**
 * Compares a silent subscription with the end of the log.
 *
 * @returns `owes`: whether the server should have sent an event or a checkpoint; `quietTo`: position up to which all
 * events of the log have been delivered
 */
const checkEnd = async (
  connection: Connection,
  streams: LogStreams,
  filter: StreamFilter,
  { last, heard: latest }: { last: bigint; heard: bigint },
  patience: number,
): Promise<{ owes: true } | { owes: false; quietTo: bigint }> => {
  const [end] = await readNewest(connection, 1, patience);
  const endsAt = end?.event?.position.commit ?? 0n;
  if (endsAt <= latest) return { owes: false, quietTo: endsAt };
  const passes = streamFilterTest(filter);
  const newest = await readNewest(connection, NEWEST, patience);
  const missing = newest.filter(({ event }) => (event?.position.commit ?? 0n) >= latest);
  const due = missing.some(
    ({ event }) =>
      event !== undefined &&
      event.position.commit > last &&
      !event.type.startsWith('$') &&
      passes(event.streamId) &&
      streams.contains(event.streamId),
  );
  if (due || missing.length === NEWEST) return { owes: true };
  return { owes: false, quietTo: newest[0]?.event?.position.commit ?? 0n };
};
