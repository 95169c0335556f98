import type { EventEmitter } from 'node:events';

/**
 * Time after the first signal in which another signal counts as a duplicate of the first, in milliseconds. Duplicates
 * occur because Ctrl-C reaches every process in the foreground of a terminal, and npm also forwards the signal.
 */
const ECHO_MS = 500;

export interface StopSignals {
  /** emitter of the signals, which is the process */
  source: Pick<EventEmitter, 'on'>;
  /** returns milliseconds of a monotonic clock */
  now: () => number;
  /** Ends the process immediately, without a clean stop. */
  end: () => void;
}

/**
 * Resolves with the first SIGTERM or SIGINT. A later signal ends the process immediately, unless it is a duplicate of
 * the first.
 */
export const stopSignal = ({ source, now, end }: StopSignals): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let first: number | null = null;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      source.on(signal, () => {
        if (first !== null && now() - first > ECHO_MS) end();
        first ??= now();
        resolve(signal);
      });
    }
  });
