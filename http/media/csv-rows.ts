import type { CsvError } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { timeSlices } from '../../domain/time-slices.ts';
import { HttpError } from '../errors.ts';

/** A row of a CSV text. */
export interface CsvRow {
  /** the line of the text on which the row ends, from 1 */
  line: number;
  fields: string[];
}

/** Characters that are parsed at once: some milliseconds of work. */
const SLICE = 32_768;
/** Characters of a row; a quote that is never closed must not make one of everything that follows. */
const MAX_ROW = 20_000;

/** What spreadsheets separate fields by, depending on the language they are set to. */
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * The rows of a CSV text (RFC 4180) in slices, so that long ones hold up nobody. Fields are trimmed, empty rows left
 * out. They are separated by whichever of comma, semicolon and tab is most frequent in the first line.
 *
 * @throws HttpError 400 names the line that can't be read
 */
export async function* csvRows(text: string, signal?: AbortSignal): AsyncGenerator<CsvRow> {
  // Loaded for the first file.
  const { CsvError, parse } = await import('csv-parse');
  const pause = timeSlices(signal);
  const slices = async function* (): AsyncGenerator<string> {
    for (let from = 0; from < text.length; from += SLICE) {
      yield text.slice(from, from + SLICE);
      await pause();
    }
  };
  const rows = parse({
    delimiter: delimiterOf(text),
    info: true,
    max_record_size: MAX_ROW,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  // What goes wrong is thrown where the rows are read.
  pipeline(Readable.from(slices(), { objectMode: false }), rows, () => undefined);
  try {
    for await (const { info, record } of rows as AsyncIterable<{ info: { lines: number }; record: string[] }>) {
      yield { line: info.lines, fields: record };
    }
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(error);
    throw error;
  }
}

const delimiterOf = (text: string): string => {
  const [first = ''] = text.split(/\r?\n|\r/, 1);
  const counts = DELIMITERS.map((delimiter) => first.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
};

const unreadable = (error: CsvError): HttpError => {
  const line = (error as CsvError & { lines?: unknown }).lines;
  const where = typeof line === 'number' ? ` Line ${line.toString()} can't be read.` : '';
  return new HttpError(400, `The body is not valid CSV.${where}`);
};
