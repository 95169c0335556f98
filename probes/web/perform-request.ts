import type { RunContext } from '../engine/check-type.ts';
import type { ProbeFailure } from '../engine/probe-failure.ts';
import { peerOf } from '../../network/failure-sentences.ts';
import { firstValue, hasEmptyLocation } from '../../network/http/fields.ts';
import type { ResponseHead } from '../../network/http/response-head.ts';
import { httpTarget } from '../../network/http-target.ts';
import { openConnection } from '../../network/open-connection.ts';
import { tlsFacts } from '../../network/tls-facts.ts';
import type { TlsFacts } from '../../domain/check/types/metadata.ts';
import type { Stopwatch } from '../engine/stopwatch.ts';
import { exchange } from './exchange.ts';
import { createBodyExamination, type BodyExamination, type BodyRequirements } from './body-examination.ts';
import { IGNORED_LOCATION } from './notes.ts';
import { asksForHealth, type WebRequest } from './request.ts';

/** The state of one request of a run. A run has several requests if there are redirects. */
export interface PerformedRequest {
  request: WebRequest;
  host: string;
  port: number;
  /** the other side of the connection, for sentences: a host name at first, then an address such as `127.0.0.1:443` */
  peer: string;
  /** the address of the connection; null before there is one */
  address: string | null;
  /** facts about a secure connection; null if the connection is plain */
  tls: TlsFacts | null;
  head: ResponseHead | null;
  examination: BodyExamination;
  /** number of bytes of the body that were read */
  received: number;
  /** size of the body before decompression, in bytes; null until the body is complete */
  size: number | null;
}

/** Creates the state of a request that was not sent yet. @param wanted the requirements on the body */
export const beginRequest = (request: WebRequest, wanted: BodyRequirements): PerformedRequest => {
  const { host, port } = httpTarget(request.url);
  return {
    request,
    host,
    port,
    peer: request.url.host,
    address: null,
    tls: null,
    head: null,
    examination: createBodyExamination(wanted),
    received: 0,
    size: null,
  };
};

export interface Performing {
  stopwatch: Stopwatch;
  /** Called with a sentence about a tolerated defect of the response. */
  onNote: (sentence: string) => void;
  context: RunContext;
  /** Returns whether a response is the final one of the run, so that its body must be read. */
  isLast: (head: ResponseHead) => boolean;
}

/**
 * Sends a request and reads the response.
 *
 * @param hop the state, which this function updates
 * @param sent the request, with the cookies for its URL
 * @returns the failure of the body; null if there is none
 */
export const performRequest = async (
  hop: PerformedRequest,
  sent: WebRequest,
  { stopwatch, onNote, context, isLast }: Performing,
): Promise<ProbeFailure | null> => {
  const { signal, clock } = context;
  const target = { ...httpTarget(sent.url), ...(asksForHealth(sent) && { purpose: 'health' as const }) };
  const { socket } = await openConnection(target, context, {
    phaseBegins: (phase, peer) => {
      stopwatch.enter(phase);
      hop.peer = peer;
    },
    connected: (address) => {
      hop.address = address;
      hop.peer = peerOf(address, hop.port);
    },
  });
  const shown = tlsFacts(socket, clock.now(), context);
  hop.tls = shown && shown.facts;
  const failure = await exchange(sent, {
    socket,
    peer: hop.peer,
    examination: hop.examination,
    stopwatch,
    signal,
    onHead: (head) => {
      hop.head = head;
      if (hasEmptyLocation(head.headers)) onNote(IGNORED_LOCATION);
      return isLast(head);
    },
    onNote,
    onProgress: (received) => {
      hop.received = received;
    },
    onEnd: (size) => {
      hop.size = size;
    },
  });
  hop.tls = shown && shown.factsWithIssuers();
  return failure;
};

/**
 * Returns the size of the body before decompression, in bytes; null if the body was not read to its end and the headers
 * do not state its length.
 */
export const bodySize = ({ size, head }: PerformedRequest): number | null => {
  if (size !== null || !head) return size;
  const length = firstValue(head.headers, 'content-length') ?? '';
  const named = head.headers['transfer-encoding'] === undefined && /^\d{1,15}$/.test(length);
  return named ? Number(length) : null;
};
