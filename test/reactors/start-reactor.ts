import { runReactor, type Reactor, type ReactorOptions } from '../../reactors/engine/loop.ts';

interface Named extends Pick<ReactorOptions, 'coordination' | 'clock' | 'timings'> {
  /** receives the log lines of the reactor, such as `warn: …` */
  logged: string[];
}

/** Starts one of the reactors of a process. @returns a function that stops the reactor */
export const startReactor = (
  reactors: readonly Reactor[],
  name: string,
  { coordination, clock, timings, logged }: Named,
): (() => Promise<void>) => {
  const reactor = reactors.find((one) => one.name === name);
  if (!reactor) throw new Error('There is no such reactor.');
  const stop = new AbortController();
  const ended = runReactor(reactor, {
    coordination,
    clock,
    log: (level, message) => logged.push(`${level}: ${message}`),
    signal: stop.signal,
    timings: { retry: 1, halted: 1, spacing: 0, ...timings },
  });
  return async () => {
    stop.abort();
    await ended;
  };
};
