import { setTimeout as sleep } from 'node:timers/promises';
import {
  convertToCommandError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
} from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Connection } from '../../eventstoredb/connection.ts';
import { withTimeout } from '../../eventstoredb/failures.ts';
import { AppendTooLarge, StoreUnavailable, WrongExpectedRevision, type ExpectedRevision } from '../port.ts';
import type { SerializedEvent } from '../serialized.ts';

/** Milliseconds between the refusal of an append by a follower and the next attempt, which goes to the leader. */
const LEADER_PAUSE = 50;
const LEADER_TRIES = 3;

export interface StoredPosition {
  revision: bigint;
  /** null if the server's response contains no position */
  position: bigint | null;
}

/**
 * Appends with a separate gRPC call for each append. The client library's own function is not used for two reasons. It
 * multiplexes the appends of many callers over one gRPC stream, where the failure of one append rejects the others. And
 * it serialises events at a point where errors are lost.
 *
 * @param target the stream, and its name on the server
 * @param deadline milliseconds
 * @throws WrongExpectedRevision, AppendTooLarge, StoreUnavailable as documented in the port
 * @throws Error the stream was deleted permanently (tombstone), which Uptrail never does
 */
export const append = async (
  connection: Connection,
  { stream, onServer }: { stream: string; onServer: string },
  events: readonly SerializedEvent[],
  expected: ExpectedRevision,
  deadline: number,
): Promise<StoredPosition> => {
  const response = await onLeader(() =>
    withTimeout(deadline + 1_000, send(connection, onServer, events, expected, deadline)),
  )
    // After most errors the outcome is unknown: the caller may repeat the append with the same ids.
    .catch((error: unknown) => {
      if (error instanceof MaxAppendSizeExceededError) throw new AppendTooLarge(stream, bytesOf(events));
      if (error instanceof StreamDeletedError) throw new Error(`The stream ${stream} was deleted permanently.`);
      throw connection.failed(error, { verb: 'append to', stream: onServer });
    });
  connection.responded();
  const wrong = response.getWrongExpectedVersion();
  if (wrong) {
    const actual = wrong.hasCurrentRevision() ? BigInt(wrong.getCurrentRevision()) : 'no_stream';
    throw new WrongExpectedRevision(stream, expected, actual);
  }
  const success = response.getSuccess();
  if (!success) throw new StoreUnavailable("EventStoreDB is not available: its response to an append can't be read.");
  const position = success.getPosition()?.getCommitPosition();
  return {
    revision: BigInt(success.getCurrentRevision()),
    position: position === undefined ? null : BigInt(position),
  };
};

/**
 * Repeats an append that a follower has refused. The refusal names the leader, and the client then connects to the
 * leader.
 */
const onLeader = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof NotLeaderError) || tries === LEADER_TRIES) throw error;
      await sleep(LEADER_PAUSE);
    }
  }
};

const send = (
  { internals, credentials }: Connection,
  stream: string,
  events: readonly SerializedEvent[],
  expected: ExpectedRevision,
  deadline: number,
): Promise<streams.AppendResp> =>
  internals.execute(
    services.StreamsClient,
    'append',
    (client) =>
      new Promise((resolve, reject) => {
        const settings = internals.callArguments({ ...credentials, requiresLeader: true, deadline });
        const call = client.append(...settings, (error, response) => {
          if (error) reject(convertToCommandError(error));
          else resolve(response);
        });
        call.on('error', (error: Error) => {
          reject(convertToCommandError(error));
        });
        call.write(new streams.AppendReq().setOptions(optionsOf(stream, expected)));
        for (const event of events) call.write(new streams.AppendReq().setProposedMessage(messageOf(event)));
        call.end();
      }),
  );

const optionsOf = (stream: string, expected: ExpectedRevision): streams.AppendReq.Options => {
  const options = new streams.AppendReq.Options();
  options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
  const empty = new shared.Empty();
  if (expected === 'any') return options.setAny(empty);
  if (expected === 'no_stream') return options.setNoStream(empty);
  return expected === 'stream_exists' ? options.setStreamExists(empty) : options.setRevision(expected.toString());
};

const messageOf = ({ id, type, data, metadata }: SerializedEvent): streams.AppendReq.ProposedMessage => {
  const message = new streams.AppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
};

const bytesOf = (events: readonly SerializedEvent[]): number =>
  events.reduce((sum, { data, metadata }) => sum + Buffer.byteLength(data) + Buffer.byteLength(metadata), 0);
