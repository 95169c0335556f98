import { SingleBar } from 'cli-progress';
import type { RebuildProgress } from '../../projections/engine/generations/rebuild.ts';
import type { Output } from '../../service/output.ts';

const STEPS: Record<RebuildProgress['step'], string> = {
  folding: 'reading the log',
  indexing: 'building indexes',
  comparing: 'comparing',
  switching: 'switching',
};

const PLAIN_EVERY_MS = 2_000;

/** Shows a progress bar on a terminal. Elsewhere, prints a line at intervals. */
export const progressOf = (name: string, output: Output) => {
  let ended = false;
  if (!output.terminal) {
    let last = performance.now();
    let step: RebuildProgress['step'] | null = null;
    return {
      show: (progress: RebuildProgress): void => {
        const now = performance.now();
        if (progress.step === step && now - last < PLAIN_EVERY_MS) return;
        last = now;
        step = progress.step;
        void output.line(`${name}: ${STEPS[step]}, ${percentOf(progress)} %, ${progress.events} events`);
      },
      end: (): void => undefined,
    };
  }
  const bar = new SingleBar({
    format: `${name} {bar} {percentage} % | {events} events | {step}`,
    barsize: 30,
    hideCursor: true,
    stream: process.stdout,
  });
  bar.start(100, 0, { events: 0, step: STEPS.folding });
  return {
    show: (progress: RebuildProgress): void => {
      bar.update(percentOf(progress), { events: progress.events, step: STEPS[progress.step] });
    },
    end: (): void => {
      if (!ended) bar.stop();
      ended = true;
    },
  };
};

/** Returns how much of the log has been folded, in whole percent. */
const percentOf = ({ position, target }: RebuildProgress): number =>
  target === 0n ? 100 : Number((position * 100n) / target);
