import type { AddressInput } from '../../../../domain/subscriber/address.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from '../../../../domain/subscriber/events.ts';
import type { FieldMessages } from '../../../../http/validation-messages.ts';
import type { CsvRow } from '../../../../http/media/csv-rows.ts';
import { withoutFormulaMark } from '../../../../messages/csv.ts';
import { MAX_ADDRESS, MAX_COMPONENTS, MAX_PHONE, MAX_URL } from '../schema.ts';

/** A parsed line of the file. */
export interface ImportedSubscriber extends Omit<AddressInput, 'mode'> {
  mode: SubscriberMode;
  component_ids: string[] | null;
  incident_id: string | null;
  deliver_notifications: boolean;
  /** Null if the line has no value. The value of the request then applies. */
  skip_confirmation_notification: boolean | null;
  /** Status in the system that exported the file, such as `pending` or `active`. Empty if the file has no status. */
  status: string;
}

/** A parsed line, or its errors by column. */
export type ParsedLine = ImportedSubscriber | { problems: FieldMessages };

type Column = keyof ImportedSubscriber;

/** Columns by their names in files: the names that our exports use, and those of Statuspage. */
const NAMES: ReadonlyMap<string, Column> = new Map([
  ...(
    [
      'mode',
      'email',
      'phone_number',
      'phone_country',
      'endpoint',
      'component_ids',
      'incident_id',
      'deliver_notifications',
      'skip_confirmation_notification',
      'status',
    ] as const
  ).map((name): [string, Column] => [name, name]),
  ['type', 'mode'],
  ['subscriber_type', 'mode'],
  ['email_address', 'email'],
  ['number', 'phone_number'],
  ['phone', 'phone_number'],
  ['country', 'phone_country'],
  ['country_code', 'phone_country'],
  ['webhook', 'endpoint'],
  ['webhook_url', 'endpoint'],
  ['url', 'endpoint'],
  ['components', 'component_ids'],
  ['skip_confirmation', 'skip_confirmation_notification'],
  ['state', 'status'],
]);

/**
 * Columns of a file without a header, by the mode in the first column. The order is that of the import template of
 * Statuspage.
 */
const WITHOUT_HEADER: Readonly<Record<SubscriberMode, readonly Column[]>> = {
  email: ['mode', 'email', 'skip_confirmation_notification'],
  sms: ['mode', 'phone_number', 'phone_country'],
  webhook: ['mode', 'endpoint', 'email'],
};

const nameOf = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

const columnOf = (cell: string): Column | null => NAMES.get(nameOf(cell)) ?? null;
const modeOf = (text: string): SubscriberMode | undefined => SUBSCRIBER_MODES.find((one) => one === nameOf(text));

/**
 * Refuses a header in which two names mean the same column, because their cells could contradict each other.
 *
 * @returns an error with the two names, or null if the header is valid
 */
export const duplicateColumnError = ({ fields }: CsvRow): string | null => {
  const columns = fields.map(columnOf);
  const second = columns.findIndex((column, index) => column !== null && columns.indexOf(column) < index);
  if (second < 0) return null;
  const names = [columns.indexOf(columns[second] ?? null), second].map((at) => (fields[at] ?? '').trim());
  const [one = '', other = ''] = names;
  return one === other
    ? `The first line names the column ${one} twice. Remove one of the two.`
    : `The columns ${one} and ${other} mean the same. Remove one of the two.`;
};

/**
 * Creates a reader for the lines of a file. If the first row is a header, columns are found by name. If the first row
 * is a subscriber, columns have a fixed order.
 *
 * @returns null if the first row is neither a header nor a subscriber
 */
export const createLineReader = (first: CsvRow): { hasHeader: boolean; read: (row: CsvRow) => ParsedLine } | null => {
  const [cell = '', ...others] = first.fields;
  if (modeOf(cell) && others.some((other) => other !== '' && !columnOf(other))) {
    return { hasHeader: false, read: ({ fields }) => lineByPlace(fields) };
  }
  const columns = first.fields.map(columnOf);
  if (!columns.some((column) => column === 'email' || column === 'phone_number' || column === 'endpoint')) return null;
  return { hasHeader: true, read: ({ fields }) => lineOf(columns, fields) };
};

const lineByPlace = (fields: readonly string[]): ParsedLine => {
  const mode = modeOf(fields[0] ?? '');
  return mode ? lineOf(WITHOUT_HEADER[mode], fields) : NO_MODE;
};

const NO_MODE = { problems: { mode: [`Must be one of ${SUBSCRIBER_MODES.join(', ')}.`] } };

/**
 * Maximum length of cells, as in the body of a POST. Without this limit, validations of long addresses would take
 * quadratic time.
 */
const LONGEST: Partial<Record<Column, number>> = {
  email: MAX_ADDRESS,
  phone_number: MAX_PHONE,
  phone_country: MAX_PHONE,
  endpoint: MAX_URL,
  incident_id: MAX_PHONE,
};

const tooLong = (cells: Partial<Record<Column, string>>): FieldMessages => {
  const broken: FieldMessages = {};
  for (const [column, most] of Object.entries(LONGEST)) {
    if ((cells[column as Column]?.length ?? 0) <= most) continue;
    broken[column] = [`Must have at most ${most.toLocaleString('en')} characters.`];
  }
  return broken;
};

const lineOf = (columns: readonly (Column | null)[], fields: readonly string[]): ParsedLine => {
  const cells: Partial<Record<Column, string>> = {};
  for (const [index, column] of columns.entries()) {
    const cell = withoutFormulaMark(fields[index] ?? '').trim();
    if (column && cell !== '') cells[column] = cell;
  }
  const mode = cells.mode === undefined ? modeByAddress(cells) : modeOf(cells.mode);
  if (!mode) return NO_MODE;
  const problems = tooLong(cells);
  const yesNo = (column: Column): boolean | null => {
    const cell = cells[column]?.toLowerCase();
    if (cell === undefined) return null;
    if (YES.has(cell)) return true;
    if (!NO.has(cell)) problems[column] = ['Must be yes or no.'];
    return false;
  };
  const ids = cells.component_ids?.split(/[\s,;|]+/).filter((id) => id !== '') ?? [];
  if (ids.length > MAX_COMPONENTS) {
    problems['component_ids'] = [`Must have at most ${MAX_COMPONENTS.toLocaleString('en')} items.`];
  }
  const line: ImportedSubscriber = {
    mode,
    email: cells.email ?? null,
    phone_number: cells.phone_number ?? null,
    phone_country: cells.phone_country ?? null,
    endpoint: cells.endpoint ?? null,
    component_ids: ids.length > 0 ? [...new Set(ids)] : null,
    incident_id: cells.incident_id ?? null,
    deliver_notifications: yesNo('deliver_notifications') ?? true,
    skip_confirmation_notification: yesNo('skip_confirmation_notification'),
    status: cells.status?.toLowerCase() ?? '',
  };
  return Object.keys(problems).length > 0 ? { problems } : line;
};

/**
 * Derives the mode from the address columns. Tests the endpoint first, because a webhook can also have an e-mail
 * address.
 */
const modeByAddress = (cells: Partial<Record<Column, string>>): SubscriberMode | undefined => {
  if (cells.endpoint !== undefined) return 'webhook';
  if (cells.phone_number !== undefined) return 'sms';
  return cells.email === undefined ? undefined : 'email';
};

const YES: ReadonlySet<string> = new Set(['yes', 'true', '1', 'y']);
const NO: ReadonlySet<string> = new Set(['no', 'false', '0', 'n']);
