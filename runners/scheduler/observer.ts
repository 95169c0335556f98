/** Callbacks for metrics and logs. */
export interface SchedulerObserver {
  /** a run was offered, `latenessMs` milliseconds after it was due */
  offered?: (latenessMs: number) => void;
  /**
   * Runs were skipped. `in_flight`: the previous run had not ended; `missed`: the run was due too long ago; `refused`:
   * the queue is full; `unpaid`: the organization has too few credits left.
   */
  skipped?: (reason: 'in_flight' | 'missed' | 'refused' | 'unpaid', runs: number) => void;
  /** checks could not be read; this is retried after a second */
  trouble?: (error: unknown) => void;
}
