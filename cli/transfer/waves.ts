import { categoryOf } from '../../domain/decider.ts';
import { sizeOf } from './appends.ts';
import type { ExportedEvent } from './format.ts';
import { eventsOf, type VerifiedFile } from './verify.ts';

/**
 * Events of the results log that are appended side by side, each stream in order: first those of all streams except
 * the regions', then the results of all regions.
 */
export interface Wave {
  before: ExportedEvent[];
  results: ExportedEvent[];
  /** bytes of the file up to the end of the wave */
  end: number;
  /** events of the file that the wave covers, including those left out */
  covered: number;
}

const EVENTS_A_WAVE = 2_000;
const BYTES_A_WAVE = 16 * 1_048_576;
const RESULTS = 'check_results';

/**
 * Divides a file into waves. A group of a parallel run begins before its results and ends after them. So a new wave
 * begins where the end of a group follows one of its results: readers see what belongs together in order. The division
 * depends on file and place alone, so an interrupted wave comes again as it was.
 *
 * @param kept which events are to be imported
 */
export async function* wavesOf(
  file: VerifiedFile,
  place: number,
  kept: (event: ExportedEvent) => boolean,
): AsyncGenerator<Wave, void, undefined> {
  let wave = emptyWave(place);
  let answered = new Set<string>();
  let bytes = 0;
  for await (const entries of eventsOf(file, place)) {
    for (const { event, end } of entries) {
      const isResult = categoryOf(event.stream) === RESULTS;
      const group = (event.data as { execution_group_id?: string }).execution_group_id;
      const comesAfter = !isResult && group !== undefined && answered.has(group);
      if (comesAfter || wave.covered >= EVENTS_A_WAVE || bytes >= BYTES_A_WAVE) {
        yield wave;
        wave = emptyWave(wave.end);
        answered = new Set();
        bytes = 0;
      }
      wave.end = end;
      wave.covered++;
      if (!kept(event)) continue;
      bytes += sizeOf(event);
      (isResult ? wave.results : wave.before).push(event);
      if (isResult && group !== undefined) answered.add(group);
    }
  }
  if (wave.covered > 0) yield wave;
}

const emptyWave = (end: number): Wave => ({ before: [], results: [], end, covered: 0 });
