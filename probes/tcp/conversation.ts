import type { Socket } from 'node:net';
import { ProbeFailure, textNotFound } from '../engine/probe-failure.ts';
import { brokenConnection } from '../engine/broken-connection.ts';
import type { Stopwatch } from '../engine/stopwatch.ts';
import { createByteSearch } from './search.ts';

/** Maximum number of bytes of a server's data that are searched. */
export const MAX_SEARCHED_BYTES = 10 * 1024 * 1024;
const LIMIT = '10 MiB';

export interface ConversationOptions {
  /** `127.0.0.1:25`, for sentences */
  peer: string;
  /** text to send after connecting; may be empty */
  sendText: string;
  /** text to wait for; if it is empty, the conversation ends after sending */
  searchText: string;
  stopwatch: Stopwatch;
  /** aborts the conversation, which then rejects with the signal's reason */
  signal: AbortSignal;
  /** called with the total number of received bytes */
  onProgress: (received: number) => void;
}

/**
 * Sends and receives over a connection as the check requires. Always closes the connection.
 *
 * @returns the failure of a server that sent data, but not the required text; null if the text arrived, or if none is
 * required
 * @throws ProbeFailure if the connection broke, or if the server closed it without sending data
 */
export const converseOverTcp = (socket: Socket, options: ConversationOptions): Promise<ProbeFailure | null> =>
  new Promise((resolve, reject) => {
    const { peer, sendText, searchText, stopwatch, signal } = options;
    const search = searchText === '' ? null : createByteSearch(searchText);
    let received = 0;
    let settled = false;

    const settle = (tell: () => void): void => {
      if (settled) return;
      settled = true;
      if (search) stopwatch.stop();
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      tell();
    };
    const end = (failure: ProbeFailure | null): void => {
      settle(() => {
        resolve(failure);
      });
    };
    const fail = (error: Error): void => {
      settle(() => {
        reject(error);
      });
    };
    const onAbort = (): void => {
      fail(signal.reason as Error);
    };

    const hear = (chunk: Buffer, searching: NonNullable<typeof search>): void => {
      if (settled) return;
      if (received === 0) stopwatch.enter('transfer');
      const rest = MAX_SEARCHED_BYTES - received;
      received += chunk.length;
      options.onProgress(received);
      if (searching.write(chunk.subarray(0, rest))) end(null);
      else if (chunk.length >= rest) end(textNotFound(searchText, ` in the first ${LIMIT} of the response`));
    };
    const hearEnd = (): void => {
      if (received > 0) end(textNotFound(searchText, ' in the response'));
      else fail(new ProbeFailure('down', 'protocol', `${peer} closed the connection without an answer.`));
    };

    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    if (socket.destroyed) {
      fail(new ProbeFailure('down', 'protocol', `${peer} closed the connection.`));
      return;
    }
    socket.on('error', (error) => {
      if (settled) return;
      fail(brokenConnection(error, peer, received > 0 ? 'before the text came' : 'before it answered'));
    });
    socket.on('close', () => {
      // Usually, this side has closed the connection. In this case, no error is created, because an error with its
      // stack trace would take longer than the rest of the conversation.
      if (settled) return;
      fail(new ProbeFailure('down', 'protocol', `${peer} closed the connection.`));
    });
    if (search) {
      stopwatch.enter('first_byte');
      socket.on('data', (chunk: Buffer) => {
        hear(chunk, search);
      });
      socket.on('end', hearEnd);
      if (sendText !== '') socket.write(sendText);
      return;
    }
    // Without a text to search for, an open connection is enough: the time for sending is not measured, and nothing
    // checks whether the server reads the sent text.
    stopwatch.stop();
    if (sendText === '') end(null);
    else {
      socket.once('finish', () => {
        end(null);
      });
      socket.end(sendText);
    }
  });
