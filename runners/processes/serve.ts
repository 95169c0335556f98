import type { TargetPolicy } from '../../domain/target/policy.ts';
import { RunAborted, type Run, type RunContext, type RunnableCheck } from '../../probes/engine/check-type.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { systemClock } from '../../network/clock.ts';
import { latestPolicy, REFUSE_EVERYTHING, createPolicy } from '../../network/policy.ts';
import { systemResolve } from '../../network/resolve.ts';
import { batchMessages } from './batch-messages.ts';
import { createRemoteMemory } from './remote-memory.ts';
import { exitWithParent } from './exit-with-parent.ts';
import type { FromProcess, Settings, ToProcess } from './messages.ts';
import { lowerPriority } from './low-priority.ts';

/**
 * The main function of a probe process. It runs what its parent requests until the parent ends, with its own clock,
 * resolver and target policy. This file must not import a store, HTTP or a schema, because the process must be small
 * and expendable.
 *
 * @param open called when the settings are known; returns the functions that run checks, by check type
 */
export const serveProbes = (
  open: (settings: Settings, context: Pick<RunContext, 'clock' | 'resolve' | 'policy'>) => Promise<OpenRuns>,
): void => {
  lowerPriority();
  exitWithParent();
  // Ctrl-C and systemd signal all processes. This process must ignore the signal, because its parent may still need it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => {
    void opened.then(({ stop }) => stop?.()).finally(() => process.exit());
    // If stopping takes too long, exit anyway. The next process removes the files that this one leaves behind.
    setTimeout(() => process.exit(), FAREWELL_MS).unref();
  });

  const controllers = new Map<number, AbortController>();
  let settings: RunSettings | null = null;
  let opened: Promise<OpenRuns> = Promise.resolve({ runs: new Map() });
  let policy: TargetPolicy = REFUSE_EVERYTHING;
  /** Runs in progress use the newest policy too. */
  const latest = latestPolicy(() => policy);
  const send = batchMessages((said: FromProcess[]) => {
    // Errors are ignored: if the parent has ended, no process waits for the message.
    process.send?.(said, undefined, undefined, () => undefined);
  });

  const memory = createRemoteMemory((request) => {
    send({ memory: request });
  });

  const perform = async ({ id, check, fresh }: { id: number; check: RunnableCheck; fresh: boolean }): Promise<void> => {
    const controller = new AbortController();
    controllers.set(id, controller);
    try {
      const run = (await opened).runs.get(check.type);
      if (!run || !settings) throw new LocalFailure(`This runner cannot run checks of type ${check.type}.`);
      send({ id, outcome: await run(check, { ...settings, memory, fresh, signal: controller.signal }) });
    } catch (error) {
      if (error instanceof RunAborted) send({ id, aborted: true });
      else send({ id, trouble: error instanceof Error ? error.message : String(error) });
    } finally {
      controllers.delete(id);
    }
  };

  const begin = (given: Settings, context: RunSettings): void => {
    opened = open(given, context);
    opened.then(
      () => {
        send({ ready: true });
      },
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        process.exit(1);
      },
    );
  };

  process.on('message', (messages: ToProcess[]) => {
    for (const one of messages) {
      if ('settings' in one) {
        const { trust, registries, staging } = one.settings;
        policy = createPolicy(one.settings.rules, one.settings.reserved);
        const begins = !settings;
        settings = {
          clock: systemClock,
          resolve: systemResolve,
          policy: latest,
          trust,
          registries,
          ...(staging !== undefined && { staging }),
        };
        if (begins) begin(one.settings, settings);
      } else if ('abort' in one) controllers.get(one.abort)?.abort();
      else if ('answered' in one) memory.receive(one);
      else void perform(one);
    }
  });
};

/** How long `stop` may take, in milliseconds. */
const FAREWELL_MS = 900;

/** The functions that run checks, and a function that ends what they share. */
export interface OpenRuns {
  /** by check type */
  runs: ReadonlyMap<string, Run>;
  /** Ends what was prepared for runs, such as sandboxes. */
  stop?: () => Promise<void>;
}

/** The part of a run's context that is the same for all runs. */
type RunSettings = Omit<RunContext, 'signal' | 'memory' | 'fresh'>;
