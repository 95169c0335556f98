import { isFields, type Fields } from '../../../domain/fields.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { csvLine, withoutFormulaMark } from '../../../messages/csv.ts';
import type { ImportedSubscribers } from '../imported.ts';
import { NotImportable, type HistoryClient, type Problem } from './client.ts';
import { arrayOf, type TargetPage } from './page.ts';

export interface SubscriberCounts {
  added: number;
  unchanged: number;
  problems: Problem[];
}

/** Limits of a request (docs/reference/subscribers.md#import). They leave room for longer ids. */
const MAX_LINES = 5_000;
const MAX_BYTES = 900_000;
/** Attempts to send the lines for which a request had no time. */
const ATTEMPTS = 20;

/**
 * Imports the subscribers of a page through the import of the service, in parts. No confirmation is sent, because each
 * line that needs none says so, and others are refused before they are sent.
 *
 * @param page null if the page does not exist yet, as in a dry run before the configuration is applied
 * @throws OperatorError the service can't be reached
 */
export const importSubscribers = async (
  client: HistoryClient,
  page: TargetPage | null,
  { page: name, csv, components = new Map() }: ImportedSubscribers,
  dryRun: boolean,
): Promise<SubscriberCounts> => {
  const [header = [], ...rows] = await rowsOf(csv);
  const counts: SubscriberCounts = { added: 0, unchanged: 0, problems: [] };
  const refused = new Map<string, number>();
  const refuse = (sentence: string): void => void refused.set(sentence, (refused.get(sentence) ?? 0) + 1);
  const column = (name: string): number => header.indexOf(name);
  const silent = rows.filter((row) => {
    const isSilent = row[column('mode')] !== 'webhook' && row[column('skip_confirmation_notification')] === 'yes';
    if (!isSilent) refuse('They would have been sent a message, which an import never does.');
    return isSilent;
  });
  if (dryRun || !page) {
    counts.added = silent.length;
  } else {
    const lines = silent.flatMap((row): string[] => {
      const line = lineOf(row, column('component_ids'), components, page);
      if (line === null) refuse('The components to which they are subscribed are not on the page.');
      return line === null ? [] : [line];
    });
    for (const part of partsOf(lines)) {
      const results = await sendPart(client, page, csvLine(header), part);
      for (const { status, error } of results) {
        if (status === 201) counts.added += 1;
        else if (status === 200) counts.unchanged += 1;
        else refuse(errorText(error));
      }
    }
  }
  counts.problems = [...refused].map(([sentence, count]) => ({
    kind: 'subscribers',
    name,
    sentence: `${count} ${count === 1 ? 'subscriber' : 'subscribers'}: ${sentence}`,
  }));
  return counts;
};

const rowsOf = async (csv: string): Promise<string[][]> => {
  const { parse } = await import('csv-parse/sync');
  const rows: string[][] = parse(csv, { bom: true, relax_column_count: true, skip_empty_lines: true });
  return rows.map((row) => row.map(withoutFormulaMark));
};

/** Returns a line with the ids of its components; null if the page lacks all of them. */
const lineOf = (
  row: readonly string[],
  column: number,
  components: NonNullable<ImportedSubscribers['components']>,
  page: TargetPage,
): string | null => {
  const keys = (row[column] ?? '').split(/\s+/).filter((key) => key !== '');
  const ids = keys.flatMap((key): string[] => {
    const reference = components.get(key);
    try {
      return reference === undefined ? [] : [page.componentOf(reference).id];
    } catch (error) {
      if (error instanceof NotImportable) return [];
      throw error;
    }
  });
  if (keys.length > 0 && ids.length === 0) return null;
  return csvLine(row.map((cell, index) => (index === column ? ids.join(' ') : cell)));
};

/** Splits lines into parts that one request accepts. */
const partsOf = (lines: readonly string[]): string[][] => {
  const parts: string[][] = [];
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(line);
    const last = parts.at(-1);
    if (last && last.length < MAX_LINES && bytes + size <= MAX_BYTES) {
      last.push(line);
      bytes += size;
    } else {
      parts.push([line]);
      bytes = size;
    }
  }
  return parts;
};

/** Sends lines, and again those for which the service had no time. Returns their results. */
const sendPart = async (
  client: HistoryClient,
  { path }: TargetPage,
  header: string,
  lines: readonly string[],
): Promise<Fields[]> => {
  const done: Fields[] = [];
  let left = lines;
  for (let attempt = 1; left.length > 0; attempt++) {
    const body = `${header}${left.join('')}`;
    const response = await client.write('POST', `${path}/subscribers/import`, body, { contentType: 'text/csv' });
    const results = arrayOf(isFields(response) ? response['results'] : null);
    if (results.length !== left.length) throw new OperatorError('The service did not answer for each subscriber.');
    const late = results.flatMap(({ status }, index) => (status === 503 ? [index] : []));
    done.push(...results.filter(({ status }) => status !== 503 || attempt === ATTEMPTS));
    const all = left;
    left = attempt === ATTEMPTS ? [] : late.map((index) => all[index] ?? '');
  }
  return done;
};

/** Returns the sentence of a refused line, without the address. */
const errorText = (error: unknown): string => {
  if (!isFields(error)) return 'The service did not say why.';
  const fields = isFields(error['errors']) ? Object.entries(error['errors']) : [];
  const named = fields.map(([field, sentences]) => `${field}: ${[sentences].flat().map(String).join(' ')}`);
  return named.length > 0 ? named.join(' ') : String(error['message']);
};
