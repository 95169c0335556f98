import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from './log.ts';

export const EMPTY = new shared.Empty();

/** Returns a 64-bit half of a UUID as a signed number, as the protocol requires. */
const half = (hex: string): string => BigInt.asIntN(64, BigInt(`0x${hex}`)).toString();

export const uuidOf = (id: string, structured: boolean): shared.UUID => {
  const uuid = new shared.UUID();
  if (!structured) return uuid.setString(id);
  const hex = id.replaceAll('-', '');
  const halves = new shared.UUID.Structured();
  halves.setMostSignificantBits(half(hex.slice(0, 16))).setLeastSignificantBits(half(hex.slice(16)));
  return uuid.setStructured(halves);
};

export const textOf = (uuid: shared.UUID | undefined): string => {
  const structured = uuid?.getStructured();
  if (!structured) return uuid?.getString() ?? '';
  const hex = [structured.getMostSignificantBits(), structured.getLeastSignificantBits()]
    .map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

export const identifier = (stream: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(stream));

export const nameOf = (stream: shared.StreamIdentifier | undefined): string =>
  Buffer.from(stream?.getStreamName_asU8() ?? []).toString();

/** Converts milliseconds since 1970 to ticks of 100 ns. */
const ticks = (milliseconds: number): string => (BigInt(milliseconds) * 10_000n).toString();

type Recorded = streams.ReadResp.ReadEvent.RecordedEvent | persistent.ReadResp.ReadEvent.RecordedEvent;

const filled = <R extends Recorded>(recorded: R, stored: StoredEvent, structured: boolean): R => {
  const { id, stream, revision, position, type, contentType, created, data, metadata } = stored;
  recorded
    .setId(uuidOf(id, structured))
    .setStreamIdentifier(identifier(stream))
    .setStreamRevision(revision.toString())
    .setCommitPosition(position.toString())
    .setPreparePosition(position.toString())
    .setData(data)
    .setCustomMetadata(metadata);
  recorded.getMetadataMap().set('type', type).set('content-type', contentType).set('created', ticks(created));
  return recorded;
};

/**
 * Creates the message for an event of a read. For a resolved link, the message also contains the target of the link.
 */
export const readEvent = (stored: StoredEvent, structured: boolean, target?: StoredEvent | null): streams.ReadResp => {
  const event = new streams.ReadResp.ReadEvent().setCommitPosition(stored.position.toString());
  const record = filled(new streams.ReadResp.ReadEvent.RecordedEvent(), stored, structured);
  if (target === undefined) event.setEvent(record);
  else event.setLink(record);
  if (target) event.setEvent(filled(new streams.ReadResp.ReadEvent.RecordedEvent(), target, structured));
  return new streams.ReadResp().setEvent(event);
};

/** Creates the message for an event delivered to a consumer of a persistent subscription. */
export const consumedEvent = (stored: StoredEvent, retries: number, structured: boolean): persistent.ReadResp => {
  const event = new persistent.ReadResp.ReadEvent().setCommitPosition(stored.position.toString());
  event.setEvent(filled(new persistent.ReadResp.ReadEvent.RecordedEvent(), stored, structured));
  event.setRetryCount(retries);
  return new persistent.ReadResp().setEvent(event);
};

/** Returns the target of a link event with the data `3@stream`. */
export const linkTarget = (link: StoredEvent): { stream: string; revision: number } => {
  const [revision = '', ...stream] = Buffer.from(link.data).toString().split('@');
  return { stream: stream.join('@'), revision: Number(revision) };
};
