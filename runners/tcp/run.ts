import type { Static } from '@sinclair/typebox';
import type { TcpParameters } from '../../domain/check/types/tcp.ts';
import type { Outcome, RunContext, RunnableCheck } from '../check-type.ts';
import { endingInTime } from '../ending-in-time.ts';
import { quoted, Finding } from '../finding.ts';
import { peerOf } from '../network/failures.ts';
import { timeoutFinding } from '../network/findings.ts';
import { openConnection } from '../network/open.ts';
import { createStopwatch } from '../stopwatch.ts';
import { converse } from './conversation.ts';
import type { TcpMetadata } from './metadata.ts';

/**
 * Connects to a port, over a fresh connection, sends `send_text` and waits for `search_text` in what
 * comes back. Where nothing is searched, the connection is the answer.
 */
export const runTcp = (check: RunnableCheck, context: RunContext): Promise<Outcome> => {
  const { send_text: sendText = '', search_text: searchText = '' } = check.parameters as TcpParameters;
  const stopwatch = createStopwatch(context.clock);
  const host = (check.host ?? '').replace(/^\[(.*)\]$/, '$1');
  const port = check.port ?? 0;
  let peer = host;
  let address: string | null = null;
  let received = 0;

  const outcome = (finding: Finding | null, complete: boolean): Outcome => {
    const { lookup, connect, first_byte, transfer } = stopwatch.timings();
    const check_metadata: Static<typeof TcpMetadata> = {
      connected: address !== null,
      host,
      port,
      address,
      timings: { lookup, connect, first_byte, transfer },
    };
    return {
      status: finding?.status ?? 'ok',
      reason: finding?.reason ?? null,
      response_time: complete ? stopwatch.total() : null,
      error_message: finding?.message ?? null,
      check_metadata,
    };
  };

  const attempt = async (limited: RunContext): Promise<Outcome> => {
    const connection = await openConnection({ host, port }, limited, {
      enter: (phase, about) => {
        stopwatch.enter(phase);
        peer = about;
      },
    });
    address = connection.address.address;
    peer = peerOf(address, port);
    const finding = await converse(connection.socket, {
      peer,
      sendText,
      searchText,
      stopwatch,
      signal: limited.signal,
      onProgress: (bytes) => {
        received = bytes;
      },
    });
    return outcome(finding, true);
  };
  const timedOut = (): Finding => {
    if (address === null) return timeoutFinding(check.timeout, stopwatch.phase, peer, received);
    const after = `Timed out after ${check.timeout.toString()} s`;
    const what =
      searchText === ''
        ? `sending the text to ${peer}`
        : `waiting for the text ${quoted(searchText)} from ${peer} (${received.toString()} bytes so far)`;
    return new Finding('down', 'timeout', `${after} ${what}.`);
  };
  return endingInTime(check.timeout, context, attempt, {
    timedOut,
    outcome: (finding) => {
      stopwatch.stop();
      return outcome(finding, false);
    },
  });
};
