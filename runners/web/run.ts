import { STATUS_CODES } from 'node:http';
import type { Static } from '@sinclair/typebox';
import type { WebParameters } from '../../domain/check/types/web.ts';
import { RunnerTrouble, type Outcome, type RunContext, type RunnableCheck } from '../check-type.ts';
import { endingInTime } from '../ending-in-time.ts';
import { Finding } from '../finding.ts';
import { createMask } from '../masking.ts';
import { peerOf } from '../network/failures.ts';
import { timeoutFinding } from '../network/findings.ts';
import { openConnection } from '../network/open.ts';
import { createStopwatch, type Stopwatch } from '../stopwatch.ts';
import { exchange } from './exchange.ts';
import type { Head } from './head.ts';
import { storedHeaders } from './headers.ts';
import type { WebMetadata } from './metadata.ts';
import { createRedirects, isRedirect } from './redirects.ts';
import { firstRequest, type WebRequest } from './request.ts';
import { secretsOf } from './secrets.ts';

/** How far a request has come. */
interface Hop {
  request: WebRequest;
  host: string;
  port: number;
  /** what the present phase is about: a host name, then `127.0.0.1:443` */
  peer: string;
  /** the address connected to */
  address: string | null;
  head: Head | null;
  /** bytes of the body */
  received: number;
}

const beginHop = (request: WebRequest): Hop => {
  const { hostname, host, protocol, port } = request.url;
  return {
    request,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    peer: host,
    address: null,
    head: null,
    received: 0,
  };
};

/** Sends the hop's request and reads the answer. @returns what is wrong with its body */
const perform = async (
  hop: Hop,
  searchText: string,
  stopwatch: Stopwatch,
  context: RunContext,
): Promise<Finding | null> => {
  const { signal } = context;
  const { host, port, request } = hop;
  const target = { host, port, ...(request.url.protocol === 'https:' && { tls: { alpn: ['http/1.1'] } }) };
  const { socket } = await openConnection(target, context, {
    enter: (phase, peer) => {
      stopwatch.enter(phase);
      hop.peer = peer;
    },
    connected: (address) => {
      hop.address = address;
      hop.peer = peerOf(address, port);
    },
  });
  return exchange(request, {
    socket,
    peer: hop.peer,
    searchText,
    stopwatch,
    signal,
    onHead: (head) => {
      hop.head = head;
      return !isRedirect(head);
    },
    onProgress: (received) => {
      hop.received = received;
    },
  });
};

const statusFinding = (status: number): Finding => {
  const words = STATUS_CODES[status];
  const answer = `${status.toString()}${words === undefined ? '' : ` ${words}`}`;
  return new Finding('failed', 'status', `The server answered ${answer}.`);
};

/**
 * Asks for a URL, each time over a fresh connection, follows redirects, and judges the last answer: its
 * status must be below 400, and the text that is asked for must stand in its body (decisions.md: Checks).
 */
export const runWeb = async (check: RunnableCheck, context: RunContext): Promise<Outcome> => {
  const { http_request: asked, search_text: searchText = '', ca_certificate: ca } = check.parameters as WebParameters;
  const stopwatch = createStopwatch(context.clock);
  const redirects = createRedirects();
  let hop = beginHop(firstRequest(check.url ?? '', asked));
  const mask = createMask(secretsOf(hop.request));

  const outcome = (finding: Finding | null, complete: boolean): Outcome => {
    const check_metadata: Static<typeof WebMetadata> = {
      connected: hop.address !== null,
      host: hop.host,
      port: hop.port,
      address: hop.address,
      status_code: hop.head?.status ?? null,
      headers: hop.head ? storedHeaders(hop.head.headers, mask) : {},
      ...(redirects.count() > 0 && { redirects: redirects.count() }),
      timings: stopwatch.timings(),
    };
    return {
      status: finding?.status ?? 'ok',
      reason: finding?.reason ?? null,
      response_time: complete ? stopwatch.total() : null,
      error_message: finding ? mask(finding.message) : null,
      check_metadata,
    };
  };

  const attempt = async (limited: RunContext): Promise<Outcome> => {
    for (;;) {
      const finding = await perform(hop, searchText, stopwatch, limited);
      const { head } = hop;
      if (!head) throw new RunnerTrouble('The answer has no head.');
      if (!isRedirect(head)) return outcome(head.status >= 400 ? statusFinding(head.status) : finding, true);
      hop = beginHop(redirects.next(hop.request, head));
    }
  };
  return endingInTime(check.timeout, { ...context, ...(ca !== undefined && { ca }) }, attempt, {
    timedOut: () => timeoutFinding(check.timeout, stopwatch.phase, hop.peer, hop.received),
    outcome: (finding) => {
      stopwatch.stop();
      return outcome(finding, false);
    },
  });
};
