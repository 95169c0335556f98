import type { CheckTypeName } from '../domain/check/events.ts';
import type { Outcome, RunnableCheck } from '../probes/engine/check-type.ts';
import { OwnTrouble } from '../network/own-trouble.ts';
import type { QueuedRun } from '../stores/work-queue/port.ts';

/** What is known about a run besides what to do. */
export interface AskedProbe {
  /** ends the run early; it then rejects with RunAborted */
  signal: AbortSignal;
  /** asked for by a person: nothing that earlier runs remember is used instead of looking */
  fresh: boolean;
  /** its check, or the job of a definition that is not stored; for the log of the process */
  about: string;
  /** the run itself, for runners elsewhere; absent: it is no run of a queue */
  run?: QueuedRun;
}

/** Where checks run. */
export interface Probes {
  /** the types that can be run */
  readonly types: readonly CheckTypeName[];
  /**
   * @throws RunAborted the signal ended it
   * @throws KillsItsProcess it has ended two processes, the second one its own
   * @throws OwnTrouble it could not be run; this says nothing about the target
   */
  run: (check: RunnableCheck, asked: AskedProbe) => Promise<Outcome>;
}

/** The process of a run ended under it, and then a second one that ran nothing else. */
export class KillsItsProcess extends OwnTrouble {
  /** how the process ended, as `it was ended by SIGABRT` */
  readonly how: string;

  constructor(how: string) {
    super(`The run has ended its process twice: ${how}.`);
    this.how = how;
    this.name = 'KillsItsProcess';
  }
}

/** Runs each check where its type is run; where several know a type, the first does. */
export const together = (all: readonly Probes[]): Probes => {
  const byType = new Map(all.toReversed().flatMap((probes) => probes.types.map((type) => [type, probes])));
  return {
    types: [...new Set(all.flatMap(({ types }) => types))],
    run: async (check, asked) => {
      const probes = byType.get(check.type);
      if (!probes) throw new OwnTrouble(`This runner can't run checks of type ${check.type}.`);
      return probes.run(check, asked);
    },
  };
};
