import { OperatorError } from '../../../service/operator-error.ts';
import { portOf, withoutCredentials } from '../url.ts';
import { isRow, json, number, parsed, text, type Row } from '../rows.ts';
import { bodyOf } from './body.ts';
import { METHODS, SERVICE_PORTS, typeOf, type RobotMonitor } from './monitor.ts';
import { statusCodesOf } from './status-codes.ts';
import { versionThreeOf } from './version-3.ts';

/** A contact that UptimeRobot notifies. */
export interface RobotContact {
  key: string;
  type: string;
  value: string;
}

export interface RobotExport {
  monitors: RobotMonitor[];
  contacts: RobotContact[];
  /** sentences on entries that are no monitors */
  unmapped: string[];
}

/**
 * Reads a response of the API: `getMonitors` of version 2, or the list of monitors of version 3. An array of responses,
 * one for each page, is read as well.
 *
 * @throws OperatorError the text is no such response; the message names the file
 */
export const readJson = (name: string, content: string): RobotExport => {
  const document = parsed(content);
  const responses = Array.isArray(document) ? (document as unknown[]) : [document];
  // An array can also contain the monitors themselves.
  const lists = responses.map((response) =>
    isRow(response) ? (response['monitors'] ?? response['data'] ?? [response]) : [response],
  );
  const entries: unknown[] = lists.flatMap((list: unknown): unknown[] => (Array.isArray(list) ? list : []));
  const monitors = entries.filter(isMonitor);
  if (monitors.length === 0) {
    throw new OperatorError(
      `${name}: This is not a list of monitors of UptimeRobot: "monitors" (getMonitors) or "data".`,
    );
  }
  const contacts = monitors.flatMap((monitor) => listIn(monitor, 'alert_contacts'));
  return {
    monitors: monitors.map(monitorOf),
    contacts: contacts.map((contact) => ({
      key: text(contact, 'id'),
      type: text(contact, 'type'),
      value: text(contact, 'value'),
    })),
    unmapped: entries.flatMap((entry, index) =>
      isMonitor(entry)
        ? []
        : `The monitor ${index + 1} of ${name} was left out, because it has neither an address nor a type.`,
    ),
  };
};

const isMonitor = (entry: unknown): entry is Row => isRow(entry) && ('url' in entry || 'type' in entry);

const listIn = (row: Row, field: string): Row[] => {
  const list = row[field];
  return Array.isArray(list) ? list.filter(isRow) : [];
};

/** Returns the first of several fields that has a value. Versions of the API use different names. */
const first = (row: Row, ...fields: string[]): string =>
  fields.map((field) => text(row, field)).find((one) => one !== '') ?? '';

const monitorOf = (row: Row): RobotMonitor => {
  const keywordType = first(row, 'keyword_type', 'keywordType').toUpperCase();
  const status = text(row, 'status').toUpperCase();
  const method = first(row, 'http_method', 'httpMethodType').toUpperCase();
  const follows = row['followRedirections'];
  return {
    id: text(row, 'id'),
    // UptimeRobot names a monitor by its URL unless the user names it.
    name: withoutCredentials(plainText(first(row, 'friendly_name', 'friendlyName', 'name'))),
    type: typeOf(text(row, 'type')),
    url: plainText(text(row, 'url')),
    port: portOf(row['port']) ?? SERVICE_PORTS[first(row, 'sub_type', 'subType').toLowerCase()] ?? null,
    interval: number(row, 'interval') ?? 300,
    timeout: number(row, 'timeout'),
    active: status !== '0' && status !== 'PAUSED',
    keyword: first(row, 'keyword_value', 'keywordValue'),
    // The type says when UptimeRobot alerts: if the keyword exists, or if it does not.
    keywordIsBad: keywordType === '1' || keywordType === 'ALERT_EXISTS',
    ignoresCase: (number(row, 'keyword_case_type') ?? number(row, 'keywordCaseType') ?? 0) === 1,
    username: first(row, 'http_username', 'httpUsername'),
    password: first(row, 'http_password', 'httpPassword'),
    usesDigest: text(row, 'http_auth_type') === '2' || text(row, 'authType').toUpperCase() === 'DIGEST',
    ...versionThreeOf(row),
    method: METHODS[method] ?? (method === '' ? null : method),
    headers: headersOf(row),
    ...bodyOf(row),
    statusCodes: statusCodesOf(row),
    followsRedirects: follows !== false,
    grace: number(row, 'gracePeriod'),
    tags: (Array.isArray(row['tags']) ? row['tags'] : []).map((tag: unknown) =>
      isRow(tag) ? text(tag, 'name') : String(tag),
    ),
    contacts: listIn(row, 'alert_contacts').map((contact) => ({
      key: text(contact, 'id'),
      delay: number(contact, 'threshold') ?? 0,
    })),
  };
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

/** Decodes a text in which UptimeRobot has escaped characters of HTML. */
const plainText = (value: string): string =>
  value.replace(/&(amp|lt|gt|quot|#39|#x27);/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);

const headersOf = (row: Row): Record<string, string> => {
  const headers = json(row, 'custom_http_headers') ?? json(row, 'customHttpHeaders');
  return isRow(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    : {};
};
