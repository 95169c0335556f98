import { closeSync, constants, copyFileSync, existsSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database, { type Connection } from '../../../stores/sqlite/driver.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import type { Row } from '../rows.ts';
import type { KumaData } from './data.ts';

/** The most rows that are read from a table. Larger tables are not those of an installation. */
const MAX_ROWS = 50_000;

interface TableOf {
  table: string;
  columns: readonly string[];
  order?: string;
}

const MONITOR_COLUMNS = `id name active interval url type weight hostname port keyword maxretries ignore_tls
  upside_down maxredirects accepted_statuscodes_json dns_resolve_type dns_resolve_server retry_interval method body
  headers basic_auth_user basic_auth_pass proxy_id expiry_notification mqtt_topic mqtt_username mqtt_password
  database_connection_string database_query auth_method bearer_token grpc_url grpc_enable_tls resend_interval
  packet_size game http_body_encoding description tls_ca parent invert_keyword json_path expected_value
  json_path_operator kafka_producer_brokers kafka_producer_ssl timeout cache_bust conditions rabbitmq_nodes
  rabbitmq_username rabbitmq_password smtp_security ping_count ping_per_request_timeout ip_family
  domain_expiry_notification expected_tls_alert docker_container system_service_name subtype protocol`.split(/\s+/);

/** The tables and columns that are read, of all versions from 1.18 to 2.x. */
const TABLES: Readonly<Record<Exclude<keyof KumaData, 'tags'>, TableOf>> = {
  monitors: { table: 'monitor', columns: MONITOR_COLUMNS },
  notifications: { table: 'notification', columns: ['id', 'name', 'active', 'is_default', 'config'] },
  monitorNotifications: { table: 'monitor_notification', columns: ['monitor_id', 'notification_id'] },
  settings: { table: 'setting', columns: ['key', 'value'] },
  certificates: { table: 'monitor_tls_info', columns: ['monitor_id', 'info_json'] },
  pages: {
    table: 'status_page',
    columns: ['id', 'slug', 'title', 'description', 'icon', 'published', 'search_engine_index', 'footer_text'].concat([
      'custom_css',
      'google_analytics_tag_id',
      'analytics_id',
      'password',
    ]),
  },
  groups: { table: 'group', columns: ['id', 'name', 'public', 'active', 'weight', 'status_page_id'], order: 'weight' },
  groupMonitors: { table: 'monitor_group', columns: ['id', 'monitor_id', 'group_id', 'weight'], order: 'weight' },
  domains: { table: 'status_page_cname', columns: ['status_page_id', 'domain'] },
  incidents: {
    table: 'incident',
    columns: ['id', 'title', 'content', 'style', 'created_date', 'last_updated_date', 'pin', 'active'].concat(
      'status_page_id',
    ),
  },
  maintenances: {
    table: 'maintenance',
    columns: ['id', 'title', 'description', 'active', 'strategy', 'start_date', 'end_date', 'timezone', 'cron'],
  },
  maintenancePages: { table: 'maintenance_status_page', columns: ['maintenance_id', 'status_page_id'] },
  maintenanceMonitors: { table: 'monitor_maintenance', columns: ['maintenance_id', 'monitor_id'] },
};

/**
 * Reads a database of Uptime Kuma, which is opened for reading only. Views and virtual tables are not read,
 * because their definitions could run any query.
 *
 * @throws OperatorError the file is damaged, or is no database of Uptime Kuma; the message names the file
 */
export const readDatabase = (file: string): KumaData => withUnchanged(file, (readable) => readFrom(readable, file));

/**
 * Calls a function with a file that has the content of a database, and that may be opened. Opening a database in WAL
 * mode creates files beside it, even for reading only. If no program has it open, a copy is used, so that its folder
 * stays as it is, and may be read-only.
 */
const withUnchanged = (file: string, use: (readable: string) => KumaData): KumaData => {
  if (!isInWalMode(file) || existsSync(`${file}-wal`)) return use(file);
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-import-'));
  try {
    const copy = join(folder, 'kuma.db');
    copyFileSync(file, copy, constants.COPYFILE_FICLONE);
    return use(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Offset in the header of a database where its mode is (https://sqlite.org/fileformat.html#file_format_version_numbers). */
const MODE_OFFSET = 18;
const WAL_MODE = 2;

const isInWalMode = (file: string): boolean => {
  const descriptor = openSync(file, 'r');
  try {
    const mode = Buffer.alloc(1);
    return readSync(descriptor, mode, 0, 1, MODE_OFFSET) === 1 && mode[0] === WAL_MODE;
  } finally {
    closeSync(descriptor);
  }
};

/** @param file the name for messages */
const readFrom = (readable: string, file: string): KumaData => {
  let connection: Connection | null = null;
  try {
    connection = new Database(readable, { readonly: true, fileMustExist: true });
    connection.pragma('trusted_schema = OFF');
    connection.pragma('cell_size_check = ON');
    const tables = tablesOf(connection);
    if (!tables.has('monitor')) {
      throw new OperatorError(`${file}: This is not a database of Uptime Kuma: it has no table "monitor".`);
    }
    return dataOf(connection, tables, file);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${file}: The database can't be read: ${(error as Error).message}. If Uptime Kuma is running, stop it, copy the file again, and try the copy.`,
    );
  } finally {
    connection?.close();
  }
};

/** Returns the names of the ordinary tables. */
const tablesOf = (connection: Connection): ReadonlySet<string> =>
  new Set(
    connection
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite%'",
      )
      .pluck()
      .all() as string[],
  );

const dataOf = (connection: Connection, tables: ReadonlySet<string>, file: string): KumaData => {
  const read = ({ table, columns, order }: TableOf): Row[] =>
    tables.has(table) ? rowsOf(connection, { table, columns, ...(order !== undefined && { order }) }, file) : [];
  const entries = Object.entries(TABLES).map(([name, table]) => [name, read(table)] as const);
  const tagNames = new Map(read({ table: 'tag', columns: ['id', 'name'] }).map((tag) => [tag['id'], tag['name']]));
  const tags = read({ table: 'monitor_tag', columns: ['monitor_id', 'tag_id', 'value'] }).map((row) => ({
    ...row,
    name: tagNames.get(row['tag_id']) ?? null,
  }));
  return { ...(Object.fromEntries(entries) as Record<Exclude<keyof KumaData, 'tags'>, Row[]>), tags };
};

/** Reads the columns that the table has, in the order of their ids. A weight is the order of a user. */
const rowsOf = (connection: Connection, { table, columns, order }: TableOf, file: string): Row[] => {
  // A hidden column is computed.
  const existing = new Set(
    (connection.pragma(`table_xinfo("${table}")`) as { name: string; hidden: number | bigint }[])
      .filter(({ hidden }) => Number(hidden) === 0)
      .map(({ name }) => name.toLowerCase()),
  );
  const present = columns.filter((column) => existing.has(column));
  if (present.length === 0) return [];
  const sorting = [order, 'id'].filter((column) => column !== undefined && existing.has(column));
  const rows = connection
    .prepare(
      `SELECT ${present.map((column) => `"${column}"`).join(', ')} FROM "${table}"` +
        `${sorting.length > 0 ? ` ORDER BY ${sorting.map((column) => `"${column}"`).join(', ')}` : ''} LIMIT ${MAX_ROWS + 1}`,
    )
    .all() as Row[];
  if (rows.length > MAX_ROWS) throw new OperatorError(`${file}: The table "${table}" has more than ${MAX_ROWS} rows.`);
  return rows;
};
