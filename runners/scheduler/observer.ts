/** Events for metrics and logs. */
export interface SchedulerObserver {
  /** a run was offered, this many milliseconds after it was due */
  offered?: (latenessMs: number) => void;
  /**
   * `in_flight`: the previous run was not done; `missed`: due too long ago; `refused`: the queue is full; `unpaid`: the
   * organization has too few credits left
   */
  skipped?: (reason: 'in_flight' | 'missed' | 'refused' | 'unpaid', runs: number) => void;
  /** checks could not be read; retried a second later */
  trouble?: (error: unknown) => void;
}
