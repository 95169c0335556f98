import { ANYWHERE, createTargetPolicy, type TargetPolicy } from '../../domain/target/policy.ts';
import { RunAborted, type Run, type RunContext, type RunnableCheck } from '../probe/check-type.ts';
import { OwnTrouble } from '../../network/own-trouble.ts';
import { systemClock } from '../../network/clock.ts';
import { systemResolve } from '../../network/resolve.ts';
import { gathered } from './gathered.ts';
import { createRemoteMemory } from './remote-memory.ts';
import { dieWithParent } from './lifeline.ts';
import type { FromProcess, ToProcess } from './messages.ts';
import { giveWay } from './yielding.ts';

/**
 * What a probe process does: it runs what its parent asks for, with a clock, a resolver and a target policy of
 * its own, while the parent lives. Nothing here may import a store, HTTP or a schema: the process
 * must be small and expendable.
 *
 * @param runs by check type
 */
export const serveProbes = (runs: ReadonlyMap<string, Run>): void => {
  giveWay();
  dieWithParent();
  // Ctrl-C and systemd signal all processes at once; this one ends with its parent, which may still need it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => {
    process.exit();
  });

  const controllers = new Map<number, AbortController>();
  let settings: RunSettings | null = null;
  let policy: TargetPolicy = ANYWHERE;
  /** Runs under way are held to what was heard last. */
  const latest: TargetPolicy = {
    refusal: (address, port) => policy.refusal(address, port),
    reservedPorts: (address) => policy.reservedPorts(address),
  };
  const say = gathered((said: FromProcess[]) => {
    // A parent that is gone needs no answer.
    process.send?.(said, undefined, undefined, () => undefined);
  });

  const memory = createRemoteMemory((asked) => {
    say({ memory: asked });
  });

  const perform = async ({ id, check, fresh }: { id: number; check: RunnableCheck; fresh: boolean }): Promise<void> => {
    const controller = new AbortController();
    controllers.set(id, controller);
    try {
      const run = runs.get(check.type);
      if (!run || !settings) throw new OwnTrouble(`This runner can't run checks of type ${check.type}.`);
      say({ id, outcome: await run(check, { ...settings, memory, fresh, signal: controller.signal }) });
    } catch (error) {
      if (error instanceof RunAborted) say({ id, aborted: true });
      else say({ id, trouble: error instanceof Error ? error.message : String(error) });
    } finally {
      controllers.delete(id);
    }
  };

  process.on('message', (told: ToProcess[]) => {
    for (const one of told) {
      if ('settings' in one) {
        const { rules, trust, registries } = one.settings;
        policy = createTargetPolicy(rules);
        if (!settings) say({ ready: true });
        settings = { clock: systemClock, resolve: systemResolve, policy: latest, trust, registries };
      } else if ('abort' in one) controllers.get(one.abort)?.abort();
      else if ('answered' in one) memory.hear(one);
      else void perform(one);
    }
  });
};

/** What is the same for all runs. */
type RunSettings = Omit<RunContext, 'signal' | 'memory' | 'fresh'>;
