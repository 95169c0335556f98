import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { definitionOf, RESULT_CATEGORIES } from '../../domain/event-types.ts';
import { categoryOf } from '../../domain/decider.ts';
import type { Instant } from '../../domain/time.ts';
import {
  readEnd,
  readEvent,
  readHead,
  unusableFile,
  type ExportedEvent,
  type ExportHead,
  type LogName,
} from './format.ts';
import { linesOf } from './lines.ts';

/** A complete and undamaged export file that this release can import. */
export interface VerifiedFile {
  file: string;
  head: ExportHead;
  /** the first event, which contains the id of the log */
  first: ExportedEvent;
  /** when the last event in the file was recorded */
  newest: Instant;
  events: number;
  /** offsets of the first event and of the last line, which ends the file */
  from: number;
  to: number;
}

/**
 * Verifies a whole file, including its checksum, before any event in it is imported.
 *
 * @param log the log that the file must contain
 * @throws OperatorError the file is absent, of another kind, incomplete, damaged, or of a newer release
 */
export const verifyFile = async (file: string, log: LogName, signal: AbortSignal): Promise<VerifiedFile> => {
  if (!existsSync(file)) throw unusableFile(file, 'does not exist.');
  const hash = createHash('sha256');
  let verified: { head: ExportHead; from: number; first: ExportedEvent | null } | null = null;
  let events = 0;
  let to = 0;
  let whole = false;
  let newest: Instant = '';
  for await (const lines of linesOf(file)) {
    signal.throwIfAborted();
    for (const { bytes, end } of lines) {
      if (!verified) {
        const head = readHead(file, bytes);
        if (head.log !== log) throw unusableFile(file, `contains the log ${head.log}, not the log ${log}.`);
        verified = { head, from: end, first: null };
      } else {
        const last = readEnd(bytes);
        if (last) {
          const { sha256 } = last;
          if (last.events !== events || sha256 !== hash.digest('hex')) {
            throw unusableFile(file, 'is damaged: its checksum does not match. Nothing was imported.');
          }
          if (end !== statSync(file).size) throw unusableFile(file, 'contains data after its end.');
          whole = true;
          continue;
        }
        const event = readEvent(bytes);
        if (!event) throw unusableFile(file, `is damaged: line ${events + 2} is not an event. Nothing was imported.`);
        if (events === 0) verified.first = firstOf(file, verified.head, event);
        refuseUnknown(file, log, event);
        newest = event.metadata.recorded_at;
        events++;
      }
      hash.update(bytes).update('\n');
      to = end;
    }
  }
  if (!verified) throw unusableFile(file, 'is not an exported log of Uptrail.');
  const { head, from, first } = verified;
  if (!whole || !first) {
    throw unusableFile(file, 'is incomplete. Run the export again: it continues where it was interrupted.');
  }
  return { file, head, first, newest, events, from, to };
};

/** Returns the first event of the log. @throws OperatorError the event does not contain the id of the log */
const firstOf = (file: string, head: ExportHead, event: ExportedEvent): ExportedEvent => {
  const { log_id } = event.data as { log_id?: string };
  if (event.type === 'LogOpened' && log_id === head.log_id) return event;
  throw unusableFile(file, 'is damaged: it does not begin with the id of its log. Nothing was imported.');
};

const refuseUnknown = (file: string, log: LogName, { stream, type, metadata }: ExportedEvent): void => {
  const category = categoryOf(stream);
  if (category !== 'log' && (log === 'results') !== RESULT_CATEGORIES.includes(category)) {
    throw unusableFile(file, `contains an event of the stream ${stream}, which does not belong to the log ${log}.`);
  }
  const definition = definitionOf(type);
  if (definition && metadata.schema_version <= definition.version) return;
  const version = metadata.schema_version;
  throw unusableFile(
    file,
    `contains the event ${type}, version ${version}, which this release does not know. Import the file with the release that wrote it, or a newer one.`,
  );
};

/**
 * Yields the events of a verified file in chunks, from the offset `start` on. `end` is the offset of the next event.
 */
export async function* eventsOf(
  { file, from, to }: VerifiedFile,
  start = from,
): AsyncGenerator<{ event: ExportedEvent; end: number }[], void, undefined> {
  if (start >= to) return;
  for await (const lines of linesOf(file, start)) {
    const events: { event: ExportedEvent; end: number }[] = [];
    for (const { bytes, end } of lines) {
      if (end > to) break;
      const event = readEvent(bytes);
      if (!event) throw unusableFile(file, 'changed during the import.');
      events.push({ event, end });
    }
    if (events.length > 0) yield events;
  }
}
