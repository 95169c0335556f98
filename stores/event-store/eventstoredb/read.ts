import {
  BACKWARDS,
  FORWARDS,
  START,
  END,
  type AllStreamResolvedEvent,
  type ReadStreamOptions as StreamReadOptions,
  type ResolvedEvent,
} from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientReadableStream } from '@grpc/grpc-js';
import type { EventMetadata, RecordedEvent } from '../../../domain/event.ts';
import type { Connection } from '../../eventstoredb/connection.ts';
import { isMisplaced, NoResponse, UnreadableEvent, withTimeout } from '../../eventstoredb/failures.ts';
import { readEvents, consumeRead } from '../../eventstoredb/reads.ts';
import type { ReadStreamOptions } from '../port.ts';
import type { LogStreams, StreamFilter } from './log-streams.ts';

/** The highest unsigned 64-bit number. As a position, the server sends it to mean "none". */
const NO_POSITION = 18_446_744_073_709_551_615n;

/** Converts an event of the client library to the type that the port declares. */
export const toRecordedEvent = (
  { event }: ResolvedEvent | AllStreamResolvedEvent,
  { toLogName }: LogStreams,
): RecordedEvent => {
  if (!event?.position || event.position.commit === NO_POSITION) {
    throw new UnreadableEvent(event?.streamId ?? '', 'the server sends no position with it, as 22.10 and newer do');
  }
  if (typeof event.data !== 'object' || event.metadata === undefined) {
    throw new UnreadableEvent(event.streamId, 'it is not JSON');
  }
  return {
    id: event.id,
    type: event.type,
    data: event.data,
    metadata: event.metadata as unknown as EventMetadata,
    stream: toLogName(event.streamId),
    revision: event.revision,
    position: event.position.commit,
  };
};

/** Returns the events of a stream; an empty array if the stream does not exist or was deleted. */
export const readStream = async (
  connection: Connection,
  streamsOfLog: LogStreams,
  stream: string,
  { from, direction = FORWARDS, limit = Infinity }: ReadStreamOptions,
  silence: number,
): Promise<RecordedEvent[]> => {
  if (limit <= 0) return [];
  const options: StreamReadOptions = {
    direction,
    fromRevision: from ?? (direction === BACKWARDS ? END : START),
    ...(Number.isFinite(limit) && { maxCount: limit }),
  };
  const found = await readEvents(connection, streamsOfLog.toServerName(stream), options, silence);
  return found.map((event) => toRecordedEvent(event, streamsOfLog));
};

/**
 * Returns the newest events of the server in any stream, newest first.
 *
 * @throws the client's errors; StoreUnavailable when the server does not respond
 */
export const readNewest = async (
  { client, credentials, responded }: Connection,
  count: number,
  silence: number,
): Promise<AllStreamResolvedEvent[]> => {
  const reading = client.readAll({
    ...credentials,
    requiresLeader: true,
    direction: BACKWARDS,
    fromPosition: END,
    maxCount: count,
  });
  const newest = await consumeRead<AllStreamResolvedEvent, AllStreamResolvedEvent>(reading, silence, (item) => item);
  responded();
  return newest;
};

/**
 * Returns the id of the event at a position, in any stream; null if there is none.
 *
 * @throws the client's errors; StoreUnavailable when the server does not respond
 */
export const readIdAt = async (
  { client, credentials }: Connection,
  position: bigint,
  silence: number,
): Promise<string | null> => {
  const fromPosition = { commit: position, prepare: position };
  const reading = client.readAll({ ...credentials, requiresLeader: true, fromPosition, maxCount: 1 });
  try {
    const [found] = await consumeRead<AllStreamResolvedEvent, AllStreamResolvedEvent>(reading, silence, (item) => item);
    return found?.event?.position.commit === position ? found.event.id : null;
  } catch (error) {
    if (isMisplaced(error)) return null;
    throw error;
  }
};

/** Start, size and filter of a page of the global order. */
export interface LogPageRequest {
  /** position of the first event of the page, inclusive; null: the start */
  from: bigint | null;
  filter: StreamFilter;
  count: number;
}

/** An event of a page that the server sent, whether or not it belongs to the log. */
export interface LogPageItem {
  position: bigint;
  /** null if the event does not belong to the log */
  event: RecordedEvent | null;
}

export interface LogPage {
  items: LogPageItem[];
  /**
   * whether the read was abandoned because the server sent nothing for too long; in this case, more events may follow
   */
  silent: boolean;
}

/**
 * Reads one page of the global order, filtered by the server. The client library's own function is not used, because it
 * has no filter: of the events in an unfiltered page, nearly all belong to the log `results`, not to `main`.
 *
 * @param silence milliseconds without an event after which the read is abandoned
 * @throws the client's errors
 */
export const readPage = async (
  { internals, credentials, responded }: Connection,
  streamsOfLog: LogStreams,
  { from, filter, count }: LogPageRequest,
  silence: number,
): Promise<LogPage> => {
  const request = new streams.ReadReq().setOptions(optionsOf(from, filter, count));
  const create = internals.GRPCStreamCreator(
    services.StreamsClient,
    'readAll',
    (client): ClientReadableStream<streams.ReadResp> =>
      client.read(
        request,
        ...internals.callArguments({ ...credentials, requiresLeader: true }, { deadline: Infinity }),
      ),
  );
  const reading = await withTimeout(silence, create());
  const items: LogPageItem[] = [];
  try {
    await consumeRead<streams.ReadResp, null>(reading, silence, (response) => {
      const event = response.getEvent()?.getEvent();
      if (event) items.push(itemOf(event, streamsOfLog));
      return null;
    });
    responded();
    return { items, silent: false };
  } catch (error) {
    if (error instanceof NoResponse) return { items, silent: true };
    throw error;
  }
};

const itemOf = (event: streams.ReadResp.ReadEvent.RecordedEvent, { contains, toLogName }: LogStreams): LogPageItem => {
  const position = BigInt(event.getCommitPosition());
  const stream = textOf(event.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array());
  const type = event.getMetadataMap().get('type') ?? '';
  // A permanently deleted stream contains a tombstone event.
  if (type.startsWith('$') || !contains(stream)) return { position, event: null };
  const read = {
    id: event.getId()?.getString() ?? '',
    type,
    data: parsed(stream, event.getData_asU8()),
    metadata: parsed(stream, event.getCustomMetadata_asU8()) as EventMetadata,
    stream: toLogName(stream),
    revision: BigInt(event.getStreamRevision()),
    position,
  };
  return { position, event: read };
};

const parsed = (stream: string, bytes: Uint8Array): object => {
  try {
    return JSON.parse(textOf(bytes)) as object;
  } catch (error) {
    throw new UnreadableEvent(stream, 'it is not JSON', { cause: error });
  }
};

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString();

const optionsOf = (from: bigint | null, filter: StreamFilter, count: number): streams.ReadReq.Options => {
  const all = new streams.ReadReq.Options.AllOptions();
  if (from === null) all.setStart(new shared.Empty());
  else {
    const position = new streams.ReadReq.Options.Position();
    all.setPosition(position.setCommitPosition(from.toString()).setPreparePosition(from.toString()));
  }
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  if ('prefixes' in filter) expression.setPrefixList(filter.prefixes);
  else expression.setRegex(filter.regex);
  return new streams.ReadReq.Options()
    .setAll(all)
    .setReadDirection(streams.ReadReq.Options.ReadDirection.FORWARDS)
    .setCount(count.toString())
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()))
    .setFilter(
      new streams.ReadReq.Options.FilterOptions()
        .setStreamIdentifier(expression)
        .setCount(new shared.Empty())
        .setCheckpointintervalmultiplier(1),
    );
};
