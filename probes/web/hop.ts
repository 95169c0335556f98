import type { RunContext } from '../engine/check-type.ts';
import type { ProbeFailure } from '../engine/failure.ts';
import { peerOf } from '../../network/failures.ts';
import { firstValue, hasEmptyLocation } from '../../network/http/fields.ts';
import type { Head } from '../../network/http/head.ts';
import { httpTarget } from '../../network/http-target.ts';
import { openConnection } from '../../network/open.ts';
import { tlsFacts } from '../../network/tls-facts.ts';
import type { TlsFacts } from '../../domain/check/types/metadata.ts';
import type { Stopwatch } from '../engine/stopwatch.ts';
import { exchange } from './exchange.ts';
import { createLooks, type Looks, type Wanted } from './looks.ts';
import { IGNORED_LOCATION } from './notes.ts';
import { asksForHealth, type WebRequest } from './request.ts';

/** How far a request has got. */
export interface Hop {
  request: WebRequest;
  host: string;
  port: number;
  /** what the current phase is about: a host name, then `127.0.0.1:443` */
  peer: string;
  /** the address connected to */
  address: string | null;
  /** of a secure connection */
  tls: TlsFacts | null;
  head: Head | null;
  looks: Looks;
  /** bytes of the body that were read */
  received: number;
  /** bytes of the body, as they were sent; null until it is complete */
  size: number | null;
}

/** @param wanted what is asked about the body */
export const beginHop = (request: WebRequest, wanted: Wanted): Hop => {
  const { host, port } = httpTarget(request.url);
  return {
    request,
    host,
    port,
    peer: request.url.host,
    address: null,
    tls: null,
    head: null,
    looks: createLooks(wanted),
    received: 0,
    size: null,
  };
};

export interface Performing {
  stopwatch: Stopwatch;
  /** What was tolerated in the answer, a sentence. */
  onNote: (sentence: string) => void;
  context: RunContext;
  /** Whether to read the body of an answer. */
  isLast: (head: Head) => boolean;
}

/**
 * Sends a hop's request and reads the answer.
 *
 * @param sent the request, completed with the cookies for its URL
 * @returns what is wrong with the body
 */
export const perform = async (
  hop: Hop,
  sent: WebRequest,
  { stopwatch, onNote, context, isLast }: Performing,
): Promise<ProbeFailure | null> => {
  const { signal, clock } = context;
  const target = { ...httpTarget(sent.url), ...(asksForHealth(sent) && { purpose: 'health' as const }) };
  const { socket } = await openConnection(target, context, {
    enter: (phase, peer) => {
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
    looks: hop.looks,
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
  hop.tls = shown && shown.whole();
  return failure;
};

/** Bytes of a hop's body, as they were sent; null if its end was not read and it had no length. */
export const bodySize = ({ size, head }: Hop): number | null => {
  if (size !== null || !head) return size;
  const length = firstValue(head.headers, 'content-length') ?? '';
  const named = head.headers['transfer-encoding'] === undefined && /^\d{1,15}$/.test(length);
  return named ? Number(length) : null;
};
