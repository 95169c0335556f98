import type { Clock } from './clock.ts';

/** Aligns pauses: all waiting callers resume at the same tick, so that their requests can share one command. */
export class Ticker {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  readonly #waiting = new Set<() => void>();
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  /** Resolves at the next tick. If the signal aborts earlier, rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const go = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#leave(go);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(go);
      this.#cancel ??= this.#clock.after(this.#milliseconds, () => {
        this.#tick();
      });
    });
  }

  #tick(): void {
    this.#cancel = null;
    const all = [...this.#waiting];
    this.#waiting.clear();
    for (const go of all) go();
  }

  #leave(go: () => void): void {
    this.#waiting.delete(go);
    if (this.#waiting.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }
}
