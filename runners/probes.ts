import type { CheckTypeName } from '../domain/check/events.ts';
import type { Outcome, RunnableCheck } from './probe/check-type.ts';
import { OwnTrouble } from '../network/own-trouble.ts';

/** What is known of a run besides what it is to do. */
export interface AskedProbe {
  /** ends the run early; it then rejects with RunAborted */
  signal: AbortSignal;
  /** its check, or the job of a definition that is not stored: for the log of the process */
  about: string;
}

/** Where checks are run. */
export interface Probes {
  /** what can be run */
  readonly types: readonly CheckTypeName[];
  /**
   * @throws RunAborted the signal ended it
   * @throws KillsItsProcess it has ended two processes, the second one its own
   * @throws OwnTrouble it could not be run; this says nothing of the target
   */
  run: (check: RunnableCheck, asked: AskedProbe) => Promise<Outcome>;
}

/** The process of a run ended under it, and then another one that ran nothing else. */
export class KillsItsProcess extends OwnTrouble {
  /** how the process ended, as `it was ended by SIGABRT` */
  readonly how: string;

  constructor(how: string) {
    super(`The run has ended its process twice: ${how}.`);
    this.how = how;
    this.name = 'KillsItsProcess';
  }
}
