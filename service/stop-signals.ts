import type { EventEmitter } from 'node:events';

/**
 * How soon after the first a signal counts as its echo, milliseconds: Ctrl-C reaches each process of a terminal's
 * foreground, and npm forwards the signal as well.
 */
const ECHO_MS = 500;

export interface StopSignals {
  /** the process */
  source: Pick<EventEmitter, 'on'>;
  /** milliseconds by a monotonic clock */
  now: () => number;
  /** Ends the process at once, without a clean stop. */
  end: () => void;
}

/** Resolves with the first SIGTERM or SIGINT; a later one, which is no echo of the first, ends the process at once. */
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
