import { categoryOf } from '../../domain/decider.ts';
import { eventSize } from './appends.ts';
import type { ExportedEvent } from './format.ts';
import { eventsOf, type VerifiedFile } from './verify.ts';

/**
 * Events of the results log that are appended concurrently, each stream in order. `before` is appended first: the
 * events of all streams except the streams of results. The results of all regions follow.
 */
export interface Wave {
  before: ExportedEvent[];
  results: ExportedEvent[];
  /** offset of the end of the wave in the file */
  end: number;
  /** number of events in this part of the file, including those that are left out */
  covered: number;
}

const EVENTS_A_WAVE = 2_000;
const BYTES_A_WAVE = 16 * 1_048_576;
const RESULTS = 'check_results';

/**
 * Divides a file into waves. A multi-region run has a group event before its results, and a group event after them. A
 * wave appends its results last. So if a wave contains results of a group, the group event that follows these results
 * begins a new wave. Then readers see these events in order. The division depends only on the file and the offset, so
 * a wave that was interrupted is repeated identically.
 *
 * @param isWanted whether an event is imported
 */
export async function* wavesOf(
  file: VerifiedFile,
  start: number,
  isWanted: (event: ExportedEvent) => boolean,
): AsyncGenerator<Wave, void, undefined> {
  let wave = emptyWave(start);
  let groupsWithResults = new Set<string>();
  let bytes = 0;
  for await (const entries of eventsOf(file, start)) {
    for (const { event, end } of entries) {
      const isResult = categoryOf(event.stream) === RESULTS;
      const group = (event.data as { execution_group_id?: string }).execution_group_id;
      const comesAfter = !isResult && group !== undefined && groupsWithResults.has(group);
      if (comesAfter || wave.covered >= EVENTS_A_WAVE || bytes >= BYTES_A_WAVE) {
        yield wave;
        wave = emptyWave(wave.end);
        groupsWithResults = new Set();
        bytes = 0;
      }
      wave.end = end;
      wave.covered++;
      if (!isWanted(event)) continue;
      bytes += eventSize(event);
      (isResult ? wave.results : wave.before).push(event);
      if (isResult && group !== undefined) groupsWithResults.add(group);
    }
  }
  if (wave.covered > 0) yield wave;
}

const emptyWave = (end: number): Wave => ({ before: [], results: [], end, covered: 0 });
