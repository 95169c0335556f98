import type { CsvError } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import { HttpError } from '../errors.ts';

/** A row of a CSV text. */
export interface CsvRow {
  /** number of the line on which the row ends, counted from 1 */
  line: number;
  fields: string[];
}

/** Number of characters that are parsed per time slice, which takes some milliseconds. */
const SLICE = 32_768;
/** Maximum number of characters in a row. The limit prevents an unclosed quote from swallowing the rest of the text. */
const MAX_ROW = 20_000;

/** Delimiters that spreadsheets write, depending on their locale. */
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Parses a CSV text (RFC 4180) in time slices, so that a long text does not delay other requests. Trims fields and
 * skips empty rows. The delimiter is the character that occurs most often in the first line: comma, semicolon or tab.
 *
 * @throws HttpError 400 the text is invalid; the message contains the number of the line
 */
export async function* csvRows(text: string, signal?: AbortSignal): AsyncGenerator<CsvRow> {
  // The module is loaded on first use.
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
  // The callback ignores errors, because the loop below receives them.
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
  const where = typeof line === 'number' ? ` Line ${line} can't be read.` : '';
  return new HttpError(400, `The body is not valid CSV.${where}`);
};
