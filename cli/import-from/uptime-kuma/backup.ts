import { OperatorError } from '../../../service/operator-error.ts';
import { isRow, parsed, type Row } from '../rows.ts';
import type { KumaData } from './data.ts';

/** Names of fields in a backup whose column has another name. */
const RENAMED: Readonly<Record<string, string>> = {
  accepted_statuscodes: 'accepted_statuscodes_json',
  isDefault: 'is_default',
};

const snakeCase = (name: string): string =>
  RENAMED[name] ??
  name.replace(/([a-z0-9])([A-Z])/g, (_, before: string, letter: string) => `${before}_${letter}`).toLowerCase();

/** Renames the fields of an object to those of the table. Lists and objects become JSON, as in the table. */
const rowOf = (object: Row): Row =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      snakeCase(name),
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );

const listIn = (object: Row, name: string): Row[] => {
  const list = object[name];
  return Array.isArray(list) ? list.filter(isRow) : [];
};

/**
 * Reads the JSON backup of Uptime Kuma 1.x, which has monitors, notifications and tags, but no status pages.
 *
 * @throws OperatorError the text is no such backup; the message names the file
 */
export const readBackup = (file: string, content: string): KumaData => {
  const backup = parsed(content);
  if (!isRow(backup) || !Array.isArray(backup['monitorList'])) {
    throw new OperatorError(
      `${file}: This is neither a database of Uptime Kuma (kuma.db) nor its JSON backup, which has a "monitorList".`,
    );
  }
  const monitors = listIn(backup, 'monitorList');
  return {
    monitors: monitors.map(rowOf),
    notifications: listIn(backup, 'notificationList').map(rowOf),
    monitorNotifications: monitors.flatMap(({ id, notificationIDList }) =>
      isRow(notificationIDList)
        ? Object.entries(notificationIDList)
            .filter(([, isLinked]) => Boolean(isLinked))
            .map(([notification]) => ({ monitor_id: id, notification_id: notification }))
        : [],
    ),
    tags: monitors.flatMap((monitor) => listIn(monitor, 'tags').map((tag) => ({ ...tag, monitor_id: monitor['id'] }))),
    settings: [],
    certificates: [],
    pages: [],
    groups: [],
    groupMonitors: [],
    domains: [],
    incidents: [],
    maintenances: [],
    maintenancePages: [],
    maintenanceMonitors: [],
  };
};
