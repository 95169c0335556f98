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

/** The state of one request of a run, which redirects may follow. */
export interface PerformedRequest {
  request: WebRequest;
  host: string;
  port: number;
  /** subject of the current phase: a host name, then `127.0.0.1:443` */
  peer: string;
  /** the address connected to */
  address: string | null;
  /** of a secure connection */
  tls: TlsFacts | null;
  head: ResponseHead | null;
  examination: BodyExamination;
  /** bytes of the body read */
  received: number;
  /** bytes of the body before decompression; null until it is complete */
  size: number | null;
}

/** @param wanted what to find out about the body */
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
  /** A tolerated defect of the response, as a sentence. */
  onNote: (sentence: string) => void;
  context: RunContext;
  /** Whether to read the body of a response. */
  isLast: (head: ResponseHead) => boolean;
}

/**
 * Sends a request and reads the response.
 *
 * @param sent the request, with the cookies for its URL
 * @returns what is wrong with the body
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
    looks: hop.examination,
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

/** Size of the body before decompression, bytes; null if it was not read to its end and its length is unknown. */
export const bodySize = ({ size, head }: PerformedRequest): number | null => {
  if (size !== null || !head) return size;
  const length = firstValue(head.headers, 'content-length') ?? '';
  const named = head.headers['transfer-encoding'] === undefined && /^\d{1,15}$/.test(length);
  return named ? Number(length) : null;
};
