import type { CheckTypeName } from '../domain/check/events.ts';
import type { Outcome, RunnableCheck } from '../probes/engine/check-type.ts';
import { LocalFailure } from '../network/local-failure.ts';
import type { QueuedRun } from '../stores/work-queue/port.ts';

/** The context of a run, in addition to its definition. */
export interface ProbeContext {
  /** if it is aborted, the run ends early and rejects with RunAborted */
  signal: AbortSignal;
  /** whether a person requested the run. Such a run must not reuse anything that earlier runs cached. */
  fresh: boolean;
  /** id of the check, or of the job if the definition belongs to no check; for the process log */
  about: string;
  /** the message from the queue, which remote runners need; absent if the run does not come from a queue */
  run?: QueuedRun;
}

/** Executes checks. */
export interface Probes {
  /** the check types that can be run */
  readonly types: readonly CheckTypeName[];
  /**
   * Runs a check.
   *
   * @throws RunAborted if `context.signal` was aborted
   * @throws KillsItsProcess if two processes ended during the run, and the second process ran nothing else
   * @throws LocalFailure if the check could not be run, which says nothing about the target
   */
  run: (check: RunnableCheck, context: ProbeContext) => Promise<Outcome>;
}

/** The process of a run ended during the run. The run was then repeated alone in a second process, which ended too. */
export class KillsItsProcess extends LocalFailure {
  /** how the second process ended, such as `it was ended by SIGABRT` */
  readonly how: string;

  constructor(how: string) {
    super(`The run has ended its process twice: ${how}.`);
    this.how = how;
    this.name = 'KillsItsProcess';
  }
}

/** Combines several executors. Each check is run by the first one that supports its type. */
export const combineProbes = (all: readonly Probes[]): Probes => {
  const byType = new Map(all.toReversed().flatMap((probes) => probes.types.map((type) => [type, probes])));
  return {
    types: [...new Set(all.flatMap(({ types }) => types))],
    run: async (check, context) => {
      const probes = byType.get(check.type);
      if (!probes) throw new LocalFailure(`This runner cannot run checks of type ${check.type}.`);
      return probes.run(check, context);
    },
  };
};
