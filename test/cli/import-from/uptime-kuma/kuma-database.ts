import Database from '../../../../stores/sqlite/driver.ts';

type Value = string | number | null;
export type KumaRow = Readonly<Record<string, Value>>;

/** Versions of Uptime Kuma whose tables differ. */
export const KUMA_VERSIONS = ['1.18', '1.23', '2.0'] as const;
export type KumaVersion = (typeof KUMA_VERSIONS)[number];

const KEY = 'id INTEGER PRIMARY KEY AUTOINCREMENT';

/** The tables and columns that each version adds. */
const ADDED: Readonly<Record<KumaVersion, Readonly<Record<string, string>>>> = {
  '1.18': {
    user: `${KEY}, username VARCHAR(255) NOT NULL UNIQUE, password VARCHAR(255), active BOOLEAN DEFAULT 1, timezone VARCHAR(150)`,
    monitor: `${KEY}, name VARCHAR(150), active BOOLEAN NOT NULL DEFAULT 1, user_id INTEGER, interval INTEGER NOT NULL DEFAULT 20,
      url TEXT, type VARCHAR(20), weight INTEGER DEFAULT 2000, hostname VARCHAR(255), port INTEGER, created_date DATETIME,
      keyword VARCHAR(255), maxretries INTEGER NOT NULL DEFAULT 0, ignore_tls BOOLEAN NOT NULL DEFAULT 0,
      upside_down BOOLEAN NOT NULL DEFAULT 0, maxredirects INTEGER NOT NULL DEFAULT 10,
      accepted_statuscodes_json TEXT NOT NULL DEFAULT '["200-299"]', dns_resolve_type VARCHAR(5),
      dns_resolve_server VARCHAR(255), dns_last_result VARCHAR(255), retry_interval INTEGER NOT NULL DEFAULT 0,
      push_token VARCHAR(20), method TEXT NOT NULL DEFAULT 'GET', body TEXT, headers TEXT, basic_auth_user TEXT,
      basic_auth_pass TEXT, docker_host INTEGER, docker_container VARCHAR(255), proxy_id INTEGER,
      expiry_notification BOOLEAN DEFAULT 1, mqtt_topic TEXT, mqtt_success_message VARCHAR(255),
      mqtt_username VARCHAR(255), mqtt_password VARCHAR(255), database_connection_string VARCHAR(2000),
      database_query TEXT, auth_method VARCHAR(250), auth_domain TEXT, auth_workstation TEXT, grpc_url VARCHAR(255),
      grpc_protobuf TEXT, grpc_enable_tls BOOLEAN NOT NULL DEFAULT 0, radius_username VARCHAR(255),
      radius_password VARCHAR(255), radius_secret VARCHAR(255), resend_interval INTEGER NOT NULL DEFAULT 0`,
    heartbeat: `${KEY}, important BOOLEAN NOT NULL DEFAULT 0, monitor_id INTEGER NOT NULL, status SMALLINT NOT NULL, msg TEXT,
      time DATETIME NOT NULL, ping INTEGER, duration INTEGER NOT NULL DEFAULT 0`,
    notification: `${KEY}, name VARCHAR(255), config VARCHAR(255), active BOOLEAN NOT NULL DEFAULT 1, user_id INTEGER,
      is_default BOOLEAN NOT NULL DEFAULT 0`,
    monitor_notification: `${KEY}, monitor_id INTEGER NOT NULL, notification_id INTEGER NOT NULL`,
    tag: `${KEY}, name VARCHAR(255) NOT NULL, color VARCHAR(255) NOT NULL`,
    monitor_tag: `${KEY}, monitor_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, value TEXT`,
    setting: `${KEY}, key VARCHAR(200) NOT NULL UNIQUE, value TEXT, type VARCHAR(20)`,
    monitor_tls_info: `${KEY}, monitor_id INTEGER NOT NULL, info_json TEXT`,
    status_page: `${KEY}, slug VARCHAR(255) NOT NULL UNIQUE, title VARCHAR(255) NOT NULL, description TEXT,
      icon VARCHAR(255) NOT NULL, theme VARCHAR(30) NOT NULL, published BOOLEAN NOT NULL DEFAULT 1,
      search_engine_index BOOLEAN NOT NULL DEFAULT 1, show_tags BOOLEAN NOT NULL DEFAULT 0, password VARCHAR,
      footer_text TEXT, custom_css TEXT, show_powered_by BOOLEAN NOT NULL DEFAULT 1`,
    group: `${KEY}, name VARCHAR(255) NOT NULL, public BOOLEAN NOT NULL DEFAULT 0, active BOOLEAN NOT NULL DEFAULT 1,
      weight BOOLEAN NOT NULL DEFAULT 1000, status_page_id INTEGER`,
    monitor_group: `${KEY}, monitor_id INTEGER NOT NULL, group_id INTEGER NOT NULL, weight BOOLEAN NOT NULL DEFAULT 1000`,
    status_page_cname: `${KEY}, status_page_id INTEGER, domain VARCHAR NOT NULL UNIQUE`,
    incident: `${KEY}, title VARCHAR(255) NOT NULL, content TEXT NOT NULL, style VARCHAR(30) NOT NULL DEFAULT 'warning',
      created_date DATETIME, last_updated_date DATETIME, pin BOOLEAN NOT NULL DEFAULT 1, active BOOLEAN NOT NULL DEFAULT 1,
      status_page_id INTEGER`,
  },
  '1.23': {
    monitor: `packet_size INTEGER NOT NULL DEFAULT 56, game VARCHAR(255), http_body_encoding VARCHAR(25), description TEXT,
      tls_ca TEXT, tls_cert TEXT, tls_key TEXT, parent INTEGER, invert_keyword BOOLEAN NOT NULL DEFAULT 0, json_path TEXT,
      expected_value VARCHAR(255), kafka_producer_topic VARCHAR(255), kafka_producer_brokers TEXT,
      kafka_producer_ssl INTEGER NOT NULL DEFAULT 0, oauth_client_id TEXT, oauth_client_secret TEXT, oauth_token_url TEXT,
      timeout DOUBLE NOT NULL DEFAULT 0`,
    maintenance: `${KEY}, title VARCHAR(150) NOT NULL, description TEXT NOT NULL, user_id INTEGER,
      active BOOLEAN NOT NULL DEFAULT 1, strategy VARCHAR(50) NOT NULL DEFAULT 'single', start_date DATETIME,
      end_date DATETIME, start_time TIME, end_time TIME, weekdays VARCHAR DEFAULT '[]', interval_day INTEGER, cron TEXT,
      timezone VARCHAR(255), duration INTEGER`,
    maintenance_status_page: `${KEY}, status_page_id INTEGER NOT NULL, maintenance_id INTEGER NOT NULL`,
    monitor_maintenance: `${KEY}, monitor_id INTEGER NOT NULL, maintenance_id INTEGER NOT NULL`,
    status_page: 'google_analytics_tag_id VARCHAR, show_certificate_expiry BOOLEAN NOT NULL DEFAULT 0',
  },
  '2.0': {
    monitor: `json_path_operator VARCHAR(255), conditions TEXT NOT NULL DEFAULT '[]', cache_bust BOOLEAN NOT NULL DEFAULT 0,
      rabbitmq_nodes TEXT, rabbitmq_username VARCHAR, rabbitmq_password VARCHAR, smtp_security VARCHAR,
      snmp_oid VARCHAR, snmp_version VARCHAR, remote_browser INTEGER, ping_count INTEGER NOT NULL DEFAULT 1,
      ping_numeric BOOLEAN NOT NULL DEFAULT 1, ping_per_request_timeout INTEGER NOT NULL DEFAULT 2, ip_family VARCHAR(4),
      manual_status SMALLINT, domain_expiry_notification BOOLEAN NOT NULL DEFAULT 0,
      subtype VARCHAR(255), location VARCHAR(255), protocol VARCHAR(255)`,
    monitor_group: 'custom_url TEXT',
    status_page: 'analytics_id VARCHAR, analytics_type VARCHAR, auto_refresh_interval INTEGER DEFAULT 300',
    heartbeat: 'retries INTEGER NOT NULL DEFAULT 0, end_time DATETIME',
  },
};

/** The rows of an installation by table. */
export type KumaTables = Readonly<Record<string, readonly KumaRow[]>>;

/** Creates a database with the tables of a version. */
export const createKumaDatabase = (file: string, version: KumaVersion, tables: KumaTables): void => {
  const database = new Database(file);
  const definitions = new Map<string, string>();
  for (const step of KUMA_VERSIONS.slice(0, KUMA_VERSIONS.indexOf(version) + 1)) {
    for (const [table, columns] of Object.entries(ADDED[step])) {
      const known = definitions.get(table);
      definitions.set(table, known === undefined ? columns : `${known}, ${columns}`);
    }
  }
  database.pragma('journal_mode = WAL');
  for (const [table, columns] of definitions) database.exec(`CREATE TABLE "${table}" (${columns})`);
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const columns = Object.keys(row);
      database
        .prepare(
          `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        )
        .run(...Object.values(row));
    }
  }
  database.close();
};
