import type { TcpMetadata, TcpParameters } from '../../domain/check/types/tcp.ts';
import type { Outcome, RunnableCheck } from '../engine/check-type.ts';
import type { RunContext } from '../engine/check-type.ts';
import { withTimeout } from '../engine/with-timeout.ts';
import { quoted, ProbeFailure } from '../engine/probe-failure.ts';
import { peerOf } from '../../network/failure-sentences.ts';
import { timeoutFailure } from '../engine/connection-failure.ts';
import { openConnection, type Target } from '../../network/open-connection.ts';
import { tlsFacts } from '../../network/tls-facts.ts';
import type { TlsFacts } from '../../domain/check/types/metadata.ts';
import { createStopwatch } from '../engine/stopwatch.ts';
import { converseOverTcp } from './conversation.ts';

/** Returns the TLS options of a check; undefined for a plain connection. */
const tlsOf = ({ tls = false }: TcpParameters): Target['tls'] => {
  if (tls === false) return undefined;
  const serverName = tls === true ? undefined : tls.server_name;
  return { alpn: [], ...(serverName !== undefined && { serverName }) };
};

/**
 * Opens a new connection to a port, performs a TLS handshake if requested, sends `send_text` and waits for
 * `search_text` in the response. Without a `search_text`, the check passes when the connection is open and the text is
 * sent.
 */
export const runTcp = (check: RunnableCheck, context: RunContext): Promise<Outcome> => {
  const { send_text: sendText = '', search_text: searchText = '', ...parameters } = check.parameters as TcpParameters;
  const tls = tlsOf(parameters);
  const stopwatch = createStopwatch(context.clock);
  const host = (check.host ?? '').replace(/^\[(.*)\]$/, '$1');
  const port = check.port ?? 0;
  let peer = host;
  let address: string | null = null;
  let facts: TlsFacts | null = null;
  /** whether the connection is established, including TLS if requested */
  let open = false;
  let received = 0;

  const outcome = (failure: ProbeFailure | null, complete: boolean): Outcome => {
    const { lookup, connect, tls: handshake, first_byte, transfer } = stopwatch.timings();
    const check_metadata: TcpMetadata = {
      connected: address !== null,
      host,
      port,
      address,
      ...(facts && { tls: facts }),
      timings: { lookup, connect, ...(tls && { tls: handshake }), first_byte, transfer },
    };
    return {
      status: failure?.status ?? 'ok',
      reason: failure?.reason ?? null,
      response_time: complete ? stopwatch.total() : null,
      error_message: failure?.message ?? null,
      check_metadata,
    };
  };

  const attempt = async (limited: RunContext): Promise<Outcome> => {
    const connection = await openConnection({ host, port, ...(tls && { tls }) }, limited, {
      phaseBegins: (phase, about) => {
        stopwatch.enter(phase);
        peer = about;
      },
      connected: (to) => {
        address = to;
        peer = peerOf(to, port);
      },
    });
    open = true;
    const shown = tlsFacts(connection.socket, limited.clock.now(), limited);
    facts = shown && shown.facts;
    const failure = await converseOverTcp(connection.socket, {
      peer,
      sendText,
      searchText,
      stopwatch,
      signal: limited.signal,
      onProgress: (bytes) => {
        received = bytes;
      },
    });
    facts = shown && shown.factsWithIssuers();
    return outcome(failure, true);
  };
  const timedOut = (): ProbeFailure => {
    if (!open) return timeoutFailure(check.timeout, stopwatch.phase, peer, received);
    const after = `Timed out after ${check.timeout} s`;
    const what =
      searchText === ''
        ? `sending the text to ${peer}`
        : `waiting for the text ${quoted(searchText)} from ${peer} (${received} bytes so far)`;
    return new ProbeFailure('down', 'timeout', `${after} ${what}.`);
  };
  const { ca_certificate: ca } = parameters;
  return withTimeout(check.timeout, { ...context, ...(ca !== undefined && { ca }) }, attempt, {
    timedOut,
    outcome: (failure) => {
      stopwatch.stop();
      return outcome(failure, false);
    },
  });
};
