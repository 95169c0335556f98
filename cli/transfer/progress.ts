import { SingleBar } from 'cli-progress';
import type { Output } from '../../service/output.ts';

/** The progress of a transfer: `done` of `total`. Both are positions in the log or both are numbers of events. */
export interface TransferProgress {
  log: string;
  done: bigint;
  total: bigint;
  /** number of events transferred so far */
  events: number;
}

const PLAIN_EVERY_MS = 2_000;

/** Shows a progress bar on a terminal. Elsewhere, prints a line at intervals. */
export const showTransfer = (log: string, output: Output) => {
  if (!output.terminal) {
    let last = performance.now();
    return {
      show: (progress: TransferProgress): void => {
        const now = performance.now();
        if (now - last < PLAIN_EVERY_MS) return;
        last = now;
        void output.line(`${log}: ${percentOf(progress)} %, ${progress.events} events`);
      },
      end: (): void => undefined,
    };
  }
  const bar = new SingleBar({
    format: `${log} {bar} {percentage} % | {events} events | {eta_formatted}`,
    barsize: 30,
    hideCursor: true,
    stream: process.stdout,
  });
  bar.start(100, 0, { events: 0 });
  let ended = false;
  return {
    show: (progress: TransferProgress): void => {
      bar.update(percentOf(progress), { events: progress.events });
    },
    end: (): void => {
      if (!ended) bar.stop();
      ended = true;
    },
  };
};

const percentOf = ({ done, total }: TransferProgress): number => (total === 0n ? 100 : Number((done * 100n) / total));
