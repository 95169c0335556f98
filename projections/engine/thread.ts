import type { MessagePort, Worker } from 'node:worker_threads';
import type { EngineOptions } from './options.ts';
import type { EngineCommand, EngineLogLine, EngineMessage } from './status/protocol.ts';
import { runEngine } from './run.ts';
import { createStatusCompactor, expandStatuses } from './status/compact-statuses.ts';
import type { Statuses } from './status/statuses.ts';
import { createWriteDemand } from './status/write-reports.ts';

/**
 * Runs the engine in its thread, and reports to the main thread, until the stop command arrives. After that, the caller
 * must close the stores.
 *
 * @param port `parentPort`
 */
export const serveEngine = async (
  port: MessagePort,
  options: Omit<EngineOptions, 'onStatus' | 'demand' | 'log' | 'signal'>,
): Promise<void> => {
  const stop = new AbortController();
  const post = (message: EngineMessage): void => {
    port.postMessage(message);
  };
  const compact = createStatusCompactor();
  const demand = createWriteDemand();
  port.on('message', (command: EngineCommand) => {
    if (command.kind === 'stop') stop.abort();
    else demand.set(command.wanted);
  });
  await runEngine({
    ...options,
    demand,
    onStatus: (statuses, written) => {
      post({ kind: 'statuses', ...compact(statuses), ...(written.length > 0 && { written }) });
    },
    log: (line) => {
      post({ kind: 'log', line });
    },
    signal: stop.signal,
  });
  port.close();
};

export interface EngineThread {
  /** Resolves when the checkpoints are stored and the thread has ended. */
  stop: () => Promise<void>;
  /** Resolves when the thread has ended because of `stop`. Rejects if the thread has died. */
  ended: Promise<void>;
}

/** Receives the engine's messages in the main thread. */
export const attachEngine = (
  worker: Worker,
  { statuses, log }: { statuses: Statuses; log: (line: EngineLogLine) => void },
): EngineThread => {
  worker.on('message', (message: EngineMessage) => {
    if (message.kind === 'statuses') statuses.receive(expandStatuses(message, statuses.of), message.written);
    else log(message.line);
  });
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The projection engine's thread ended with code ${code}.`));
    });
  });
  // Prevent an unhandled rejection from ending the process. `ended` still rejects for callers that await it.
  ended.catch(() => undefined);
  const command = (message: EngineCommand): void => {
    worker.postMessage(message);
  };
  const { demand } = statuses.written;
  const tellDemand = (): void => {
    command({ kind: 'report_written', wanted: demand.wanted });
  };
  const endDemand = demand.watch(tellDemand);
  if (demand.wanted) tellDemand();
  return {
    stop: async () => {
      endDemand();
      command({ kind: 'stop' });
      await ended;
    },
    ended,
  };
};
