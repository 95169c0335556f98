import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** A runner, in one of its regions, that has produced suspect results. */
export interface SuspectRunnerDocument {
  /** Id of the server in the results. */
  id: string;
  region: string;
  /** Whether the runner is cut off, according to its results. */
  suspect: boolean;
  /** Time at which the first suspect result of this outage was recorded. */
  since: Instant;
  /** Time at which the newest suspect result was recorded. */
  last_at: Instant;
  /** Internal: ids of the newest suspect results, newest first, to detect duplicates. */
  results: readonly string[];
  /** Position of the newest event that changed `suspect`. */
  changed_position: number;
}

/** Maximum number of result ids in a document. */
const REMEMBERED = 32;

/**
 * Minimum time between the newest suspect result and the end of an outage, in milliseconds. A good result within this
 * time does not end the outage, because a runner that is cut off can still reach some targets, such as those on its own
 * machine.
 */
const OVER_AFTER_MS = 60_000;

/**
 * Runners that are cut off from their network, by server (docs/reference/alerts.md#alerts-of-the-service). An outage
 * ends with a result that is not suspect, at least a minute after the newest suspect result. Results that a remote
 * runner delivered late are ignored, because they do not show the current state.
 */
export const suspectRunners = defineProjection({
  name: 'suspect_runners',
  version: 1,
  log: 'results',
  collections: {
    suspect_runners: collection<SuspectRunnerDocument>({
      indexes: [{ changed_position: 1 }, { suspect: 1 }],
      expires: { field: 'last_at' },
    }),
  },
  documents: ({ data }) => ({ suspect_runners: [data.check_server.id] }),
  on: {
    CheckRunCompleted: ({ data, metadata: { recorded_at: at }, position }, { suspect_runners }) => {
      const { result_id, check_server, late, ran_at } = data;
      if (late === true && ran_at !== undefined) return;
      const { id } = check_server;
      const known = suspect_runners.get(id);
      if (known?.results.includes(result_id)) return;
      if (data.suspect === true) {
        const results = [result_id, ...(known?.results ?? [])].slice(0, REMEMBERED);
        const begun = known?.suspect ? known : { since: at, changed_position: Number(position) };
        const { since, changed_position } = begun;
        suspect_runners.put({ id, region: data.region, suspect: true, since, last_at: at, results, changed_position });
      } else if (known?.suspect && Math.abs(millisecondsOf(at) - millisecondsOf(known.last_at)) >= OVER_AFTER_MS) {
        suspect_runners.put({ ...known, suspect: false, changed_position: Number(position) });
      }
    },
  },
});
