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
 * The main function of a probe process: runs what its parent requests, with its own clock, resolver and target policy,
 * until the parent ends. This must not import a store, HTTP or a schema: the process must be small and expendable.
 *
 * @param open creates the run functions by check type, once the settings are known
 */
export const serveProbes = (
  open: (settings: Settings, context: Pick<RunContext, 'clock' | 'resolve' | 'policy'>) => Promise<OpenRuns>,
): void => {
  lowerPriority();
  exitWithParent();
  // Ctrl-C and systemd signal all processes; this one must outlive the signal, since its parent may still need it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => {
    void opened.then(({ stop }) => stop?.()).finally(() => process.exit());
    // The next process removes what this one leaves behind.
    setTimeout(() => process.exit(), FAREWELL_MS).unref();
  });

  const controllers = new Map<number, AbortController>();
  let settings: RunSettings | null = null;
  let opened: Promise<OpenRuns> = Promise.resolve({ runs: new Map() });
  let policy: TargetPolicy = REFUSE_EVERYTHING;
  /** Current runs follow the latest policy too. */
  const latest = latestPolicy(() => policy);
  const send = batchMessages((said: FromProcess[]) => {
    // Ignores errors: an ended parent needs no response.
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

/** How long it takes to end what was prepared for runs, milliseconds. */
const FAREWELL_MS = 900;

/** The run functions, and how to end them. */
export interface OpenRuns {
  /** by check type */
  runs: ReadonlyMap<string, Run>;
  /** Ends what was prepared for runs. */
  stop?: () => Promise<void>;
}

/** The settings that are the same for all runs. */
type RunSettings = Omit<RunContext, 'signal' | 'memory' | 'fresh'>;
