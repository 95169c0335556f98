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
  { page: name, csv, labels = [], components = new Map() }: ImportedSubscribers,
  dryRun: boolean,
): Promise<SubscriberCounts> => {
  const [header = [], ...rows] = await rowsOf(csv);
  const counts: SubscriberCounts = { added: 0, unchanged: 0, problems: [] };
  const refused = new Map<string, string[]>();
  const refuse = (sentence: string, label: string): void =>
    void refused.set(sentence, [...(refused.get(sentence) ?? []), label]);
  const column = (name: string): number => header.indexOf(name);
  const named = rows.map((row, index) => ({ row, label: labels[index] ?? `line ${index + 2}` }));
  const silent = named.filter(({ row, label }) => {
    const isSilent = row[column('mode')] !== 'webhook' && row[column('skip_confirmation_notification')] === 'yes';
    if (!isSilent) refuse('They would have been sent a message, which an import never does.', label);
    return isSilent;
  });
  if (dryRun || !page) {
    counts.added = silent.length;
  } else {
    const lines = silent.flatMap(({ row, label }): Line[] => {
      const text = lineOf(row, column('component_ids'), components, page);
      if (text === null) refuse('The components to which they are subscribed are not on the page.', label);
      return text === null ? [] : [{ text, label }];
    });
    for (const part of partsOf(lines)) {
      const results = await sendPart(client, page, csvLine(header), part);
      for (const { label, result } of results) {
        if (result['status'] === 201) counts.added += 1;
        else if (result['status'] === 200) counts.unchanged += 1;
        else refuse(errorText(result['error']), label);
      }
    }
  }
  counts.problems = [...refused].map(([sentence, of]) => ({
    kind: 'subscribers',
    name,
    sentence: `${of.length} ${of.length === 1 ? 'subscriber' : 'subscribers'} (${listOf(of)}): ${sentence}`,
  }));
  return counts;
};

/** A line of the request, and what it is called. */
interface Line {
  text: string;
  label: string;
}

/** How many subscribers a sentence names. */
const MAX_LABELS = 20;

const listOf = (labels: readonly string[]): string => {
  const more = labels.length - MAX_LABELS;
  return `${labels.slice(0, MAX_LABELS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
const partsOf = (lines: readonly Line[]): Line[][] => {
  const parts: Line[][] = [];
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(line.text);
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
  lines: readonly Line[],
): Promise<{ label: string; result: Fields }[]> => {
  const done: { label: string; result: Fields }[] = [];
  let left = lines;
  for (let attempt = 1; left.length > 0; attempt++) {
    const body = `${header}${left.map(({ text }) => text).join('')}`;
    const response = await client.write('POST', `${path}/subscribers/import`, body, { contentType: 'text/csv' });
    const results = arrayOf(isFields(response) ? response['results'] : null);
    if (results.length !== left.length) throw new OperatorError('The service did not answer for each subscriber.');
    const all = left;
    left = attempt === ATTEMPTS ? [] : all.filter((_, index) => results[index]?.['status'] === 503);
    const again = new Set(left);
    done.push(
      ...all.flatMap((line, index) => (again.has(line) ? [] : [{ label: line.label, result: results[index] ?? {} }])),
    );
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
