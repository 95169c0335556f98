import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type {
  sendUnaryData,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServiceError,
} from '@grpc/grpc-js';
import anyMessages from 'google-protobuf/google/protobuf/any_pb.js';
import emptyMessages from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Access } from './access.ts';
import { APPEND_LIMIT, appendTooLarge, notLeader, streamDeleted, wrongVersion, type Faults } from './faults.ts';
import type { EventLog, Expected, Outcome, ProposedEvent } from './log.ts';
import { EMPTY, identifier, nameOf, textOf, uuidOf } from './messages.ts';

/**
 * Creates the handlers for appends and deletions. `stored` is called when an append is stored, before its response. If
 * `stored` returns false, the response is suppressed.
 */
export const createWrites = (log: EventLog, faults: Faults, access: Access, stored: () => boolean) => {
  /**
   * Returns whether a call may continue. A call is refused if another node is the leader, or if `allow` throws because
   * of a missing right. While a test lets the server be silent, a call may not continue either, and gets no response.
   */
  const admit = async (refuse: (error: ServiceError) => void, allow: () => void): Promise<boolean> => {
    const mayAnswer = faults.begin();
    await faults.wait();
    if (!mayAnswer()) return false;
    try {
      if (faults.leader) throw notLeader(faults.leader);
      allow();
      return true;
    } catch (error) {
      refuse(error as ServiceError);
      return false;
    }
  };

  const append = async (
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
    respond: sendUnaryData<streams.AppendResp>,
  ): Promise<void> => {
    let options: streams.AppendReq.Options | undefined;
    const events: ProposedEvent[] = [];
    for await (const request of call as AsyncIterable<streams.AppendReq>) {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (message) events.push(proposed(message));
    }
    faults.appends++;
    if (!options) return;
    const stream = nameOf(options.getStreamIdentifier());
    const allow = (): void => {
      access.toAppend(call.metadata, stream);
    };
    if (!(await admit(respond, allow))) return;
    if (bytesOf(events) > APPEND_LIMIT) {
      respond(appendTooLarge());
      return;
    }
    const expected = expectedOf(options, () => options.getRevision());
    const outcome = log.append(stream, events, expected);
    if (outcome.outcome === 'tombstoned') respond(streamDeleted(stream));
    else if (outcome.outcome === 'wrong expected version') respond(null, refused(expected, outcome.current));
    else if (stored()) respond(null, success(outcome.last));
  };

  const batchAppend = (call: ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>): void => {
    const open = new Map<string, { options: streams.BatchAppendReq.Options; events: ProposedEvent[] }>();
    call.on('data', (request: streams.BatchAppendReq) => {
      const id = textOf(request.getCorrelationId());
      const options = open.get(id)?.options ?? request.getOptions();
      if (!options) return;
      const events = [...(open.get(id)?.events ?? []), ...request.getProposedMessagesList().map(proposed)];
      open.set(id, { options, events });
      if (!request.getIsFinal()) return;
      open.delete(id);
      const stream = nameOf(options.getStreamIdentifier());
      const allow = (): void => {
        access.toAppend(call.metadata, stream);
      };
      void admit((error) => call.emit('error', error), allow).then((admitted) => {
        if (!admitted || call.cancelled) return;
        const expected = expectedOf(options, () => options.getStreamPosition());
        const response = new streams.BatchAppendResp().setCorrelationId(uuidOf(id, false));
        response.setStreamIdentifier(identifier(stream));
        const outcome = bytesOf(events) > APPEND_LIMIT ? 'too large' : log.append(stream, events, expected);
        if (outcome !== 'too large' && outcome.outcome === 'stored' && !stored()) return;
        call.write(batchAnswer(response, outcome, expected));
      });
    });
    call.on('end', () => {
      call.end();
    });
  };

  const remove =
    <Request extends streams.DeleteReq | streams.TombstoneReq, Response>(
      run: (stream: string) => { position: bigint } | undefined,
      response: (position: string) => Response,
    ) =>
    async (call: ServerUnaryCall<Request, Response>, respond: sendUnaryData<Response>): Promise<void> => {
      const options = call.request.getOptions();
      const stream = nameOf(options?.getStreamIdentifier());
      const allow = (): void => {
        access.toDelete(call.metadata, stream);
      };
      if (!(await admit(respond, allow))) return;
      if (log.isTombstoned(stream)) {
        respond(streamDeleted(stream));
        return;
      }
      const current = log.isDeleted(stream) ? -1n : BigInt(log.lastRevision(stream));
      const expected = options ? expectedOf(options, () => options.getRevision()) : 'any';
      const fits = expected === 'any' || expected === 'stream_exists' ? current >= 0n : numberOf(expected) === current;
      if (!fits) {
        respond(wrongVersion(stream, numberOf(expected), current));
        return;
      }
      const done = run(stream);
      if (stored()) respond(null, response((done?.position ?? 0n).toString()));
    };

  return {
    append: (
      call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
      respond: sendUnaryData<streams.AppendResp>,
    ) => {
      // An append has no effect if its client disconnects before the append is complete.
      append(call, respond).catch(() => undefined);
    },
    batchAppend,
    delete: remove<streams.DeleteReq, streams.DeleteResp>(
      (stream) => log.delete(stream),
      (at) =>
        new streams.DeleteResp().setPosition(
          new streams.DeleteResp.Position().setCommitPosition(at).setPreparePosition(at),
        ),
    ),
    tombstone: remove<streams.TombstoneReq, streams.TombstoneResp>(
      (stream) => log.tombstone(stream),
      (at) =>
        new streams.TombstoneResp().setPosition(
          new streams.TombstoneResp.Position().setCommitPosition(at).setPreparePosition(at),
        ),
    ),
  };
};

const proposed = (
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): ProposedEvent => ({
  id: textOf(message.getId()),
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? 'application/octet-stream',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

const bytesOf = (events: readonly ProposedEvent[]): number =>
  events.reduce((sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * type.length, 0);

interface ExpectedOptions {
  hasNoStream: () => boolean;
  hasAny: () => boolean;
  hasStreamExists: () => boolean;
}

const expectedOf = (options: ExpectedOptions, revision: () => string): Expected => {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  return options.hasStreamExists() ? 'stream_exists' : BigInt(revision());
};

/** Returns EventStoreDB's number for an expected revision. */
const numberOf = (expected: Expected): bigint => {
  if (expected === 'any') return -2n;
  if (expected === 'stream_exists') return -4n;
  return expected === 'no_stream' ? -1n : expected;
};

const success = ({ revision, position }: { revision: bigint; position: bigint }): streams.AppendResp => {
  const at = new streams.AppendResp.Position();
  at.setCommitPosition(position.toString()).setPreparePosition(position.toString());
  const done = new streams.AppendResp.Success().setCurrentRevision(revision.toString()).setPosition(at);
  return new streams.AppendResp().setSuccess(done);
};

const refused = (expected: Expected, current: bigint | null): streams.AppendResp => {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (current === null) wrong.setCurrentNoStream(EMPTY).setNoStream2060(EMPTY);
  else wrong.setCurrentRevision(current.toString()).setCurrentRevision2060(Number(current));
  if (expected === 'any') wrong.setExpectedAny(EMPTY).setAny2060(EMPTY);
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(EMPTY).setStreamExists2060(EMPTY);
  else if (expected === 'no_stream') wrong.setExpectedNoStream(EMPTY);
  else wrong.setExpectedRevision(expected.toString()).setExpectedRevision2060(Number(expected));
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
};

const batchAnswer = (
  response: streams.BatchAppendResp,
  outcome: Outcome | 'too large',
  expected: Expected,
): streams.BatchAppendResp => {
  if (outcome !== 'too large' && outcome.outcome === 'stored') {
    const { revision, position } = outcome.last;
    const at = new shared.AllStreamPosition();
    at.setCommitPosition(position.toString()).setPreparePosition(position.toString());
    const done = new streams.BatchAppendResp.Success().setCurrentRevision(revision.toString()).setPosition(at);
    return response.setSuccess(done);
  }
  const [name, bytes] = problemOf(outcome, expected);
  const details = new anyMessages.Any();
  details.pack(bytes, `event_store.client.${name}`);
  return response.setError(new statusMessages.Status().setMessage(name).setDetails(details));
};

const problemOf = (outcome: Exclude<Outcome, { outcome: 'stored' }> | 'too large', expected: Expected) => {
  if (outcome === 'too large') {
    const problem = new shared.MaximumAppendSizeExceeded().setMaxappendsize(APPEND_LIMIT);
    return ['MaximumAppendSizeExceeded', problem.serializeBinary()] as const;
  }
  if (outcome.outcome === 'tombstoned') return ['StreamDeleted', new shared.StreamDeleted().serializeBinary()] as const;
  const empty = new emptyMessages.Empty();
  const problem = new shared.WrongExpectedVersion();
  if (outcome.current === null) problem.setCurrentNoStream(empty);
  else problem.setCurrentStreamRevision(outcome.current.toString());
  if (expected === 'any') problem.setExpectedAny(empty);
  else if (expected === 'stream_exists') problem.setExpectedStreamExists(empty);
  else if (expected === 'no_stream') problem.setExpectedNoStream(empty);
  else problem.setExpectedStreamPosition(expected.toString());
  return ['WrongExpectedVersion', problem.serializeBinary()] as const;
};
