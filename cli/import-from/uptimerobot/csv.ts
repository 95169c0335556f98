import { parse } from 'csv-parse/sync';
import { OperatorError } from '../../../service/operator-error.ts';
import { delimiterOf } from '../csv-delimiter.ts';
import { portOf, withoutCredentials } from '../url.ts';
import { METHODS, SERVICE_PORTS, typeOf, WITHOUT_VERSION_3, type RobotMonitor } from './monitor.ts';

const MAX_LINE = 100_000;

/** The names of each column in exports and in templates of bulk imports: lower-case letters and digits. */
const COLUMNS = {
  name: ['friendlyname', 'name', 'monitorname', 'monitor'],
  type: ['type', 'monitortype'],
  url: ['urlip', 'url', 'urlorip', 'ip', 'host', 'target', 'urliphost'],
  port: ['port'],
  service: ['subtype', 'porttype', 'service'],
  interval: ['interval', 'monitoringinterval', 'intervalseconds', 'checkinterval', 'intervalinseconds'],
  timeout: ['timeout', 'timeoutseconds'],
  status: ['status', 'state', 'currentstatus'],
  keyword: ['keywordvalue', 'keyword'],
  keywordType: ['keywordtype'],
  username: ['httpusername', 'username', 'user'],
  password: ['httppassword', 'password'],
  method: ['httpmethod', 'method'],
  tags: ['tags', 'tag'],
} as const;

/** A row, and the number of its line. */
interface CsvRecord {
  record: string[];
  info: { lines: number };
}

/**
 * Reads an export of monitors as CSV. Lines with more cells than the header are left out with a sentence, because their
 * cells may be those of other columns.
 *
 * @throws OperatorError the file is damaged or lacks a column; the message names the file, and the line if possible
 */
export const readCsv = (name: string, content: string): { monitors: RobotMonitor[]; unmapped: string[] } => {
  const delimiter = delimiterOf(content);
  const [header, ...rows] = recordsOf(name, content, delimiter);
  const titles = (header?.record ?? []).map((title) => title.toLowerCase().replace(/[^a-z0-9]/g, ''));
  for (const column of ['url', 'type'] as const) {
    if (rows.length > 0 && COLUMNS[column].some((title) => titles.includes(title))) continue;
    throw new OperatorError(
      `${name}: The CSV has no column "${column === 'url' ? 'URL/IP' : 'Type'}", or no line below it.`,
    );
  }
  const isSound = ({ record }: CsvRecord): boolean => record.slice(titles.length).every((cell) => cell === '');
  return {
    monitors: rows
      .filter(isSound)
      .map(({ record }) => monitorOf(Object.fromEntries(titles.map((title, index) => [title, record[index] ?? ''])))),
    unmapped: rows
      .filter((row) => !isSound(row))
      .map(
        ({ info }) =>
          `Line ${info.lines} of ${name} was left out, because it has more cells than line 1. Put texts that contain ${JSON.stringify(delimiter)} into quotation marks.`,
      ),
  };
};

const recordsOf = (name: string, content: string, delimiter: string): CsvRecord[] => {
  try {
    return parse(content, {
      bom: true,
      delimiter,
      info: true,
      max_record_size: MAX_LINE,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    throw new OperatorError(`${name}: The CSV is not valid: ${(error as Error).message}`);
  }
};

const monitorOf = (row: Readonly<Record<string, string>>): RobotMonitor => {
  const cell = (column: keyof typeof COLUMNS): string =>
    COLUMNS[column].map((title) => row[title] ?? '').find((value) => value !== '') ?? '';
  const keywordType = cell('keywordType').toLowerCase();
  const method = cell('method').toUpperCase();
  return {
    id: '',
    name: withoutCredentials(cell('name')) || withoutCredentials(cell('url')).replace(/^[^/?#]*@/, ''),
    type: typeOf(cell('type')),
    url: cell('url'),
    port: portOf(cell('port')) ?? SERVICE_PORTS[cell('service').toLowerCase()] ?? null,
    interval: secondsIn(cell('interval')) ?? 300,
    timeout: secondsIn(cell('timeout')),
    active: !/^(?:0|paused|inactive)$/i.test(cell('status')),
    keyword: cell('keyword'),
    keywordIsBad: keywordType === '1' || (/exist/.test(keywordType) && !/not/.test(keywordType)),
    ignoresCase: false,
    username: cell('username'),
    password: cell('password'),
    usesDigest: false,
    method: METHODS[method] ?? (method === '' ? null : method),
    headers: {},
    body: null,
    contentType: null,
    statusCodes: null,
    followsRedirects: true,
    grace: null,
    tags: cell('tags').split(/[,;|]/),
    contacts: [],
    ...WITHOUT_VERSION_3,
  };
};

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Returns the seconds of `300`, `5 min` or `1h`. A number without a unit counts seconds; below 30, minutes. */
const secondsIn = (duration: string): number | null => {
  const [, digits, unit] = /^([\d.]+)\s*([smhd])?/i.exec(duration) ?? [];
  const count = Number(digits);
  if (digits === undefined || !Number.isFinite(count) || count <= 0) return null;
  return count * (UNITS[unit?.toLowerCase() ?? ''] ?? (count < 30 ? 60 : 1));
};
