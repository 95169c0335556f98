import { CsvError, parse } from 'csv-parse/sync';
import type { Fields } from '../../../domain/fields.ts';
import { withoutFormulaMark } from '../../../messages/csv.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { delimiterOf } from '../csv-delimiter.ts';

/** The rows of a CSV file of components or of subscribers, as objects of Statuspage's interface. */
export type CsvContent = { kind: 'components'; components: Fields[] } | { kind: 'subscribers'; subscribers: Fields[] };

/** Maximum number of characters in a row, so that an unclosed quote does not swallow the rest of a file. */
const MAX_ROW = 100_000;

/** Names of columns of subscribers, by the field that they fill. */
const SUBSCRIBER_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['mode', 'mode'],
  ['type', 'mode'],
  ['subscriber_type', 'mode'],
  ['email', 'email'],
  ['email_address', 'email'],
  ['phone_number', 'phone_number'],
  ['phone', 'phone_number'],
  ['number', 'phone_number'],
  ['phone_country', 'phone_country'],
  ['country', 'phone_country'],
  ['country_code', 'phone_country'],
  ['endpoint', 'endpoint'],
  ['webhook', 'endpoint'],
  ['webhook_url', 'endpoint'],
  ['url', 'endpoint'],
  ['component_ids', 'components'],
  ['components', 'components'],
  ['subscribed_components', 'components'],
  ['state', 'state'],
  ['status', 'state'],
  ['quarantined_at', 'quarantined_at'],
]);

/** Columns of a file of subscribers without a header, by mode, in the order of Statuspage's template. */
const WITHOUT_HEADER: Readonly<Record<string, readonly string[]>> = {
  email: ['mode', 'email'],
  sms: ['mode', 'phone_number', 'phone_country'],
  webhook: ['mode', 'endpoint', 'email'],
};

const COMPONENT_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['component', 'name'],
  ['component_name', 'name'],
  ['id', 'id'],
  ['component_id', 'id'],
  ['group', 'group_name'],
  ['group_name', 'group_name'],
  ['component_group', 'group_name'],
  ['description', 'description'],
  ['status', 'status'],
  ['showcase', 'showcase'],
  ['display_uptime', 'showcase'],
  ['only_show_if_degraded', 'only_show_if_degraded'],
  ['start_date', 'start_date'],
  ['position', 'position'],
]);

/** Reads a CSV file of components or of subscribers. @throws OperatorError the file is neither, or can't be read */
export const readCsv = (file: { name: string; text: string }): CsvContent => {
  const records = recordsOf(file);
  const rows = records.map(({ record }) => record);
  const at = (index: number): string => `line ${records[index]?.info.lines ?? index + 1} of ${file.name}`;
  const [first] = rows;
  if (!first) throw new OperatorError(`${file.name} is empty.`);
  const header = first.map(nameOf);
  if (WITHOUT_HEADER[header[0] ?? ''] && !header.slice(1).some((name) => SUBSCRIBER_COLUMNS.has(name))) {
    return {
      kind: 'subscribers',
      subscribers: rows.map((row, index) => ({ ...withoutHeader(row), source: at(index) })),
    };
  }
  const isAbout = (columns: ReadonlyMap<string, string>, field: string): boolean =>
    header.some((name) => columns.get(name) === field);
  const addressed = ['email', 'phone_number', 'endpoint'].some((field) => isAbout(SUBSCRIBER_COLUMNS, field));
  if (addressed) {
    const subscribers = rows.slice(1).map((row, index) => ({
      ...objectOf(header, SUBSCRIBER_COLUMNS, row),
      source: at(index + 1),
    }));
    return { kind: 'subscribers', subscribers };
  }
  if (!isAbout(COMPONENT_COLUMNS, 'name')) {
    throw new OperatorError(
      `${file.name}: line 1 must name the columns of components (name, group, description, …) or of subscribers ` +
        '(type, email, phone_number, endpoint, …).',
    );
  }
  return {
    kind: 'components',
    components: rows.slice(1).map((row) => componentOf(objectOf(header, COMPONENT_COLUMNS, row))),
  };
};

const nameOf = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

const withoutHeader = (row: readonly string[]): Fields => {
  const columns = WITHOUT_HEADER[nameOf(row[0] ?? '')] ?? ['mode'];
  return Object.fromEntries(columns.map((column, index) => [column, withoutFormulaMark(row[index] ?? '')]));
};

const objectOf = (
  header: readonly string[],
  columns: ReadonlyMap<string, string>,
  row: readonly string[],
): Record<string, string> => {
  const object: Record<string, string> = {};
  for (const [index, name] of header.entries()) {
    const field = columns.get(name);
    const cell = withoutFormulaMark(row[index] ?? '').trim();
    if (field !== undefined && cell !== '') object[field] = cell;
  }
  return object;
};

const YES = /^(?:yes|true|1|y)$/i;

const componentOf = (cells: Record<string, string>): Fields => ({
  ...cells,
  ...(cells['showcase'] !== undefined && { showcase: YES.test(cells['showcase']) }),
  ...(cells['only_show_if_degraded'] !== undefined && {
    only_show_if_degraded: YES.test(cells['only_show_if_degraded']),
  }),
  ...(cells['status'] !== undefined && { status: nameOf(cells['status']) }),
});

/** A row, and the number of its line. */
interface CsvRecord {
  record: string[];
  info: { lines: number };
}

const recordsOf = ({ name, text }: { name: string; text: string }): CsvRecord[] => {
  try {
    return parse(text, {
      bom: true,
      info: true,
      delimiter: delimiterOf(text),
      max_record_size: MAX_ROW,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new OperatorError(`${name} is not valid CSV: ${error.message}`);
  }
};
