import type { CheckTypeName } from '../domain/check/events.ts';
import type { Outcome, RunnableCheck } from '../probes/engine/check-type.ts';
import { LocalFailure } from '../network/local-failure.ts';
import type { QueuedRun } from '../stores/work-queue/port.ts';

/** Context of a run besides its definition. */
export interface ProbeContext {
  /** ends the run early; it then rejects with RunAborted */
  signal: AbortSignal;
  /** requested by a person: the run must not reuse anything that earlier runs cached */
  fresh: boolean;
  /** id of its check, or of the job of an unstored definition; for the process log */
  about: string;
  /** the queued run, for remote runners; absent: the run is not from a queue */
  run?: QueuedRun;
}

/** Executes checks. */
export interface Probes {
  /** the types it can run */
  readonly types: readonly CheckTypeName[];
  /**
   * @throws RunAborted the signal ended it
   * @throws KillsItsProcess it ended two processes, the second of which ran nothing else
   * @throws LocalFailure it could not be run, which says nothing about the target
   */
  run: (check: RunnableCheck, context: ProbeContext) => Promise<Outcome>;
}

/** The process of a run ended during it, and so did a second one that ran nothing else. */
export class KillsItsProcess extends LocalFailure {
  /** how the process ended, such as `it was ended by SIGABRT` */
  readonly how: string;

  constructor(how: string) {
    super(`The run has ended its process twice: ${how}.`);
    this.how = how;
    this.name = 'KillsItsProcess';
  }
}

/** Combines several executors; each check goes to the first one that can run its type. */
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
