import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** A runner, in one of its regions, that has produced suspect results. */
export interface SuspectRunnerDocument {
  /** id of the server that results name */
  id: string;
  region: string;
  /** whether it is cut off, according to its results */
  suspect: boolean;
  /** when the first suspect result of this outage was recorded */
  since: Instant;
  /** when the newest one was */
  last_at: Instant;
  /** internal: ids of the last suspect results, newest first, to detect duplicates */
  results: readonly string[];
  /** position of the event by which it became suspect, or stopped being so */
  changed_position: number;
}

/** How many results a document remembers. */
const REMEMBERED = 32;

/** A runner that is cut off still reaches some targets, for example those on its own machine. Milliseconds. */
const OVER_AFTER_MS = 60_000;

/**
 * Runners that are cut off from their network (docs/reference/alerts.md#alerts-of-the-service), by server:
 * until one of their results is not suspect, at least a minute after the last suspect one. Results that a remote runner
 * delivered late tell nothing about the present.
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
