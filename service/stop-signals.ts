import type { EventEmitter } from 'node:events';

/**
 * How soon after the first signal another one counts as its duplicate, milliseconds: Ctrl-C reaches every process of a
 * terminal's foreground, and npm forwards the signal as well.
 */
const ECHO_MS = 500;

export interface StopSignals {
  /** the process */
  source: Pick<EventEmitter, 'on'>;
  /** milliseconds of a monotonic clock */
  now: () => number;
  /** Ends the process immediately, without a clean stop. */
  end: () => void;
}

/** Resolves with the first SIGTERM or SIGINT; a later one that is not its duplicate ends the process immediately. */
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
