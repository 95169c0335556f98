import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { wasTruncated } from '../../network/tls-closing.ts';
import { beginExchange } from '../../network/http/exchange.ts';
import type { ResponseHead } from '../../network/http/response-head.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { brokenConnection } from '../engine/broken-connection.ts';
import type { ProbeFailure } from '../engine/probe-failure.ts';
import type { Stopwatch } from '../engine/stopwatch.ts';
import { createBodyReader, type BodyReader } from './body.ts';
import { faultFailure } from './failures.ts';
import type { BodyExamination } from './body-examination.ts';
import { IGNORED_LENGTH, IGNORED_LINES } from './notes.ts';
import type { WebRequest } from './request.ts';

export interface ExchangeOptions {
  socket: Socket | TLSSocket;
  /** `127.0.0.1:443`, for sentences */
  peer: string;
  /** receives the body */
  examination: BodyExamination;
  stopwatch: Stopwatch;
  /** aborts the exchange, which then rejects with the signal's reason */
  signal: AbortSignal;
  /** Called with the head of the response. @returns whether to read the body */
  onHead: (head: ResponseHead) => boolean;
  /** Called with a sentence about a tolerated defect of the response. */
  onNote: (sentence: string) => void;
  /** Called with the number of bytes of the body so far. */
  onProgress: (received: number) => void;
  /** Called when the response is complete. @param size size of the body before decompression, in bytes */
  onEnd: (size: number) => void;
}

/**
 * Sends one request over a new connection, and reads the response. Always closes the connection.
 *
 * @returns the failure of the body of a complete response; null if the body has no failure, or if the body was not read
 * @throws ProbeFailure if there is no complete response
 */
export const exchange = (request: WebRequest, options: ExchangeOptions): Promise<ProbeFailure | null> =>
  new Promise((resolve, reject) => {
    const { socket, peer, stopwatch, signal } = options;
    let size = 0;
    let complete = false;
    let reader: BodyReader | null = null;

    const settle = (): void => {
      stopwatch.stop();
      reader?.destroy();
      running.close();
    };
    const end = (failure: ProbeFailure | null): void => {
      settle();
      resolve(failure);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };

    stopwatch.enter('first_byte');
    const running = beginExchange(
      request,
      { socket, signal, wasCutOff: () => wasTruncated(socket) },
      {
        head: (head, framing) => {
          stopwatch.enter('transfer');
          if (framing.kind === 'chunks' && framing.ignoresLength) options.onNote(IGNORED_LENGTH);
          if (head.hasOtherLines) options.onNote(IGNORED_LINES);
          if (!options.onHead(head)) {
            end(null);
            return;
          }
          const isDelimited = framing.kind !== 'close';
          reader = createBodyReader(
            { headers: head.headers, examination: options.examination, isDelimited },
            {
              note: options.onNote,
              drain: () => {
                if (complete) return;
                stopwatch.enter('transfer');
                socket.resume();
              },
              complete: end,
              hopeless: fail,
            },
          );
        },
        data: (chunk) => {
          size += chunk.length;
          if (!reader) return;
          if (!reader.write(chunk)) {
            // Stops the stopwatch during decompression, which does not count as transfer time.
            stopwatch.stop();
            socket.pause();
          }
          options.onProgress(reader.received);
        },
        end: () => {
          complete = true;
          options.onEnd(size);
          // The rest of the decompression does not count as transfer time.
          stopwatch.stop();
          reader?.end();
        },
        aborted: fail,
        fault: (fault) => {
          fail(faultFailure(fault, peer));
        },
        broken: (error, begun) => {
          fail(brokenConnection(error, peer, begun ? 'before the response was complete' : 'before it answered'));
        },
        clientFailed: (cause) => {
          fail(new LocalFailure('The HTTP client failed.', { cause }));
        },
      },
    );
  });
