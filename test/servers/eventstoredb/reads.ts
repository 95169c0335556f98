import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status, type ServerWritableStream } from '@grpc/grpc-js';
import type { Access } from './access.ts';
import { failure, notLeader, streamDeleted, type Faults } from './faults.ts';
import { checkpointInterval, filterOf, type Filter } from './filter.ts';
import type { EventLog, StoredEvent } from './log.ts';
import { identifier, linkTarget, nameOf, readEvent } from './messages.ts';

type Options = streams.ReadReq.Options;
type Call = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

const BACKWARDS = streams.ReadReq.Options.ReadDirection.BACKWARDS;

/** Creates the handlers for reads of streams and of `$all`, both finite and live. */
export const createReads = (log: EventLog, faults: Faults, access: Access) => {
  const live = new Set<Call>();

  const read = async (call: Call): Promise<void> => {
    const mayAnswer = faults.begin();
    await faults.wait();
    if (!mayAnswer()) return;
    if (faults.leader) {
      call.emit('error', notLeader(faults.leader));
      return;
    }
    const options = call.request.getOptions() ?? new streams.ReadReq.Options();
    const output = sender(call, log, options, mayAnswer, () => faults.sent++);
    const stream = options.getStream();
    try {
      access.toRead(call.metadata, stream ? nameOf(stream.getStreamIdentifier()) : '$all');
      if (options.hasSubscription()) {
        live.add(call);
        faults.opened++;
        await follow(log, options, output, faults);
      } else {
        await readToEnd(log, options, output, faults);
        if (mayAnswer()) call.end();
      }
    } catch (error) {
      call.emit('error', error);
    } finally {
      if (options.hasSubscription()) live.delete(call);
    }
  };

  return {
    read,
    /** Ends all live subscriptions, as a server does at a regular shutdown. */
    closeSubscriptions: (): void => {
      for (const call of live) call.end();
    },
    subscriptions: (): number => live.size,
  };
};

interface Output {
  event: (stored: StoredEvent) => Promise<void>;
  message: (message: streams.ReadResp) => Promise<void>;
  /** returns whether the client is connected and may get a response */
  open: () => boolean;
  /** returns whether the client has disconnected, or the call was ended */
  gone: () => boolean;
  /** Registers a callback for when the client has disconnected. */
  onEnd: (callback: () => void) => void;
}

const sender = (call: Call, log: EventLog, options: Options, mayAnswer: () => boolean, sent: () => void): Output => {
  const structured = options.getUuidOption()?.hasStructured() === true;
  const gone = (): boolean => call.cancelled || call.writableEnded;
  const open = (): boolean => !gone() && mayAnswer();
  const message = async (response: streams.ReadResp): Promise<void> => {
    if (!open() || call.write(response)) return;
    const leaving = new AbortController();
    const end = (): void => {
      leaving.abort();
    };
    call.once('cancelled', end);
    await once(call, 'drain', { signal: leaving.signal }).catch(() => undefined);
    call.off('cancelled', end);
  };
  return {
    message,
    open,
    gone,
    onEnd: (callback) => {
      call.on('cancelled', callback);
      call.on('finish', callback);
    },
    event: async (stored) => {
      if (open()) sent();
      if (!options.getResolveLinks() || stored.type !== '$>') {
        await message(readEvent(stored, structured));
        return;
      }
      const { stream, revision } = linkTarget(stored);
      const target = log.visible(stream).find((one) => one.revision === BigInt(revision));
      await message(readEvent(stored, structured, target ?? null));
    },
  };
};

const readToEnd = async (log: EventLog, options: Options, output: Output, faults: Faults): Promise<void> => {
  const stream = options.getStream();
  const found = stream ? ofStream(log, options, stream) : ofAll(log, options, () => faults.scan());
  if (found === 'not found') {
    const absent = new streams.ReadResp.StreamNotFound();
    absent.setStreamIdentifier(identifier(nameOf(stream?.getStreamIdentifier())));
    await output.message(new streams.ReadResp().setStreamNotFound(absent));
    return;
  }
  let left = Number(options.getCount());
  for await (const stored of found) {
    if (left-- <= 0 || !output.open()) return;
    await output.event(stored);
  }
};

const ofStream = (log: EventLog, options: Options, from: streams.ReadReq.Options.StreamOptions) => {
  const stream = nameOf(from.getStreamIdentifier());
  if (log.isTombstoned(stream)) throw streamDeleted(stream);
  if (log.lastRevision(stream) < 0 || log.isDeleted(stream)) return 'not found' as const;
  const revision = from.hasRevision() ? BigInt(from.getRevision()) : null;
  const visible = log.visible(stream);
  if (options.getReadDirection() === BACKWARDS) {
    if (from.hasStart()) return visible.filter((stored) => stored.revision === 0n);
    return visible.filter((stored) => revision === null || stored.revision <= revision).reverse();
  }
  if (from.hasEnd()) return [];
  return revision === null ? visible : visible.filter((stored) => stored.revision >= revision);
};

/**
 * Returns the index of the event at a position. Throws if no event begins at the position and the position is not past
 * the end, because EventStoreDB would then read in the middle of a record.
 */
const indexOf = (log: EventLog, position: bigint, filtered: boolean): number => {
  const index = log.indexAt(position);
  if (position >= log.end || position === 0n || log.all[index]?.position === position) return index;
  throw failure(status.UNKNOWN, `Unexpected ${filtered ? 'Filtered' : ''}ReadAllResult: Error`, {});
};

async function* ofAll(log: EventLog, options: Options, scan: () => Promise<void> | null): AsyncGenerator<StoredEvent> {
  const from = options.getAll();
  const passes = filterOf(options.getFilter());
  const position = from?.getPosition()?.getCommitPosition();
  const backwards = options.getReadDirection() === BACKWARDS;
  let index = from?.hasEnd() === true ? log.all.length : 0;
  if (position !== undefined) index = indexOf(log, BigInt(position), passes !== null);
  if (backwards) index--;
  for (const step = backwards ? -1 : 1; index >= 0 && index < log.all.length; index += step) {
    const stored = log.all[index];
    if (stored && (!passes || passes(stored))) yield stored;
    const looking = scan();
    if (looking) await looking;
  }
}

const follow = async (log: EventLog, options: Options, output: Output, faults: Faults): Promise<void> => {
  const stream = options.getStream();
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
  const nextEvents = stream ? followStream(log, stream) : followAll(log, options, output, () => faults.scan());
  await output.message(new streams.ReadResp().setConfirmation(confirmation));
  let wake = (): void => undefined;
  let growths = 0;
  const stop = log.onGrowth(() => {
    growths++;
    wake();
  });
  output.onEnd(() => {
    wake();
  });
  try {
    while (!output.gone()) {
      const seen = growths;
      for await (const stored of nextEvents()) await output.event(stored);
      // During a simulated silence, the subscription waits here until its client disconnects.
      if (growths === seen && !output.gone()) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop();
  }
};

/**
 * Returns a function that returns the events of a stream that were appended since the previous call of that function.
 */
const followStream = (log: EventLog, from: streams.ReadReq.Options.StreamOptions) => {
  const stream = nameOf(from.getStreamIdentifier());
  if (log.isTombstoned(stream)) throw streamDeleted(stream);
  let next = from.hasRevision() ? BigInt(from.getRevision()) + 1n : 0n;
  if (from.hasEnd()) next = BigInt(log.lastRevision(stream) + 1);
  return function* (): Generator<StoredEvent> {
    for (const stored of log.visible(stream)) {
      if (stored.revision < next) continue;
      next = stored.revision + 1n;
      yield stored;
    }
  };
};

/**
 * Returns a function that returns the events of `$all` that were appended since the previous call of that function,
 * with checkpoints. During the catch-up, checkpoints have no positions at which a read can begin. Afterwards,
 * checkpoints have the position of the last scanned event.
 */
const followAll = (log: EventLog, options: Options, output: Output, scan: () => Promise<void> | null) => {
  const from = options.getAll();
  const passes: Filter | null = filterOf(options.getFilter());
  const interval = checkpointInterval(options.getFilter());
  const position = from?.getPosition()?.getCommitPosition();
  let index = from?.hasEnd() === true ? log.all.length : 0;
  if (position !== undefined) {
    index = indexOf(log, BigInt(position), passes !== null);
    if (log.all[index]?.position === BigInt(position)) index++;
  }
  let scanned = 0;
  let live = false;
  return async function* (): AsyncGenerator<StoredEvent> {
    for (; index < log.all.length && output.open(); index++) {
      const stored = log.all[index];
      if (!stored) return;
      if (!passes || passes(stored)) yield stored;
      const looking = scan();
      if (looking) await looking;
      if (!passes || ++scanned < interval) continue;
      scanned = 0;
      const position = stored.position.toString();
      const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(position);
      await output.message(new streams.ReadResp().setCheckpoint(checkpoint.setPreparePosition(live ? position : '0')));
    }
    live ||= index === log.all.length;
  };
};
