import type { KumaRow } from '../../cli/import-from/uptime-kuma/kuma-database.ts';
import type { KumaTargets } from './kuma-targets.ts';

/** Statuses in the table of heartbeats. */
export const DOWN = 0;
export const UP = 1;

/** A monitor with the status that Uptime Kuma stored last; null if it never ran. */
export interface WatchedMonitor {
  row: KumaRow;
  last: typeof DOWN | typeof UP | null;
}

/** Returns 60 monitors of all kinds that Uptime Kuma has. */
export const kumaMonitors = ({ http, open, closed, dns, redis, smtp }: KumaTargets): WatchedMonitor[] => {
  const at = (path: string): string => `${http}/${path}`;
  const text = (value: string): string => at(`text/${encodeURIComponent(value)}`);
  const document = (value: object): string => at(`json/${encodeURIComponent(JSON.stringify(value))}`);
  const local = { hostname: '127.0.0.1' };
  const web = (name: string, last: 0 | 1, url: string, more: KumaRow = {}): WatchedMonitor => ({
    row: { name, type: 'http', url, ...more },
    last,
  });
  const keyword = (name: string, last: 0 | 1, url: string, more: KumaRow): WatchedMonitor =>
    web(name, last, url, { type: 'keyword', ...more });
  const query = (name: string, last: 0 | 1, path: string, operator: string, value: string): WatchedMonitor =>
    web(name, last, document({ status: 'ok', count: 5, version: '5', list: [{ up: true }] }), {
      type: 'json-query',
      json_path: path,
      json_path_operator: operator,
      expected_value: value,
    });
  const other = (name: string, type: string, last: 0 | 1 | null, more: KumaRow): WatchedMonitor => ({
    row: { name, type, ...more },
    last,
  });
  const database = (type: string, connection: string): WatchedMonitor =>
    other(type, type, UP, { database_connection_string: connection });
  return [
    other('Shop', 'group', UP, { description: 'The shop' }),
    other('Internal', 'group', UP, {}),
    web('Home', UP, at('')),
    web('Home', UP, at('again'), { parent: 1 }),
    web('Missing', DOWN, at('status/404')),
    web('Expected 404', UP, at('status/404'), { accepted_statuscodes_json: '["404"]' }),
    web('Broken', DOWN, at('status/500'), { parent: 1 }),
    web('Range', UP, at('status/503'), { accepted_statuscodes_json: '["200-299","500-599"]' }),
    web('Redirect', UP, at('redirect/home')),
    web('Redirect not followed', DOWN, at('redirect/home'), { maxredirects: 0 }),
    web('Redirect accepted', UP, at('redirect/home'), { maxredirects: 0, accepted_statuscodes_json: '["300-399"]' }),
    web('Basic', UP, at('auth'), { auth_method: 'basic', basic_auth_user: 'kuma', basic_auth_pass: 'bear' }),
    web('Basic in URL', UP, at('auth').replace('http://', 'http://kuma:bear@')),
    web('Basic wrong', DOWN, at('auth'), { auth_method: 'basic', basic_auth_user: 'kuma', basic_auth_pass: 'no' }),
    web('Header', UP, at('header/sesame'), { headers: '{"X-Key": "sesame"}' }),
    web('Header missing', DOWN, at('header/sesame')),
    web('Post', UP, at('post'), { method: 'POST', body: '{"ping":1}', http_body_encoding: 'json' }),
    web('Post empty', DOWN, at('post'), { method: 'POST' }),
    web('Head', UP, at(''), { method: 'HEAD' }),
    web('Refused', DOWN, `http://127.0.0.1:${closed}/`),
    keyword('Keyword', UP, text('Welcome to the shop'), { keyword: 'Welcome' }),
    keyword('Keyword missing', DOWN, text('Goodbye'), { keyword: 'Welcome' }),
    keyword('Keyword inverted', UP, text('Goodbye'), { keyword: 'Error', invert_keyword: 1 }),
    keyword('Keyword inverted found', DOWN, text('An Error'), { keyword: 'Error', invert_keyword: 1 }),
    keyword('Keyword Unicode', UP, text('Grüße ☀'), { keyword: 'Grüße ☀' }),
    query('JSON text', UP, 'status', '==', 'ok'),
    query('JSON other text', DOWN, '$.status', '==', 'no'),
    query('JSON number', UP, 'count', '==', '5'),
    query('JSON number as text', UP, 'version', '==', '5'),
    query('JSON boolean', UP, 'list[0].up', '==', 'true'),
    query('JSON greater', UP, 'count', '>', '4'),
    query('JSON not greater', DOWN, 'count', '>', '5'),
    query('JSON at least', UP, 'count', '>=', '5'),
    query('JSON different', UP, 'status', '!=', 'no'),
    query('JSON contains', UP, 'status', 'contains', 'k'),
    query('JSON missing', DOWN, 'nothing.here', '==', '1'),
    other('Port', 'port', UP, { ...local, port: open, parent: 2 }),
    other('Port closed', 'port', DOWN, { ...local, port: closed }),
    other('Ping', 'ping', UP, { ...local, ping_count: 1 }),
    other('DNS', 'dns', UP, {
      hostname: 'shop.example',
      dns_resolve_type: 'A',
      dns_resolve_server: '127.0.0.1',
      port: dns,
    }),
    other('DNS missing', 'dns', DOWN, {
      hostname: 'none.example',
      dns_resolve_type: 'A',
      dns_resolve_server: '127.0.0.1',
      port: dns,
    }),
    other('DNS condition', 'dns', UP, {
      hostname: 'shop.example',
      dns_resolve_type: 'A',
      dns_resolve_server: '127.0.0.1',
      port: dns,
      conditions: '[{"type":"expression","variable":"record","operator":"equals","value":"127.0.0.10","andOr":"and"}]',
    }),
    other('Job', 'push', null, { push_token: 'abcdefgh', interval: 3600 }),
    other('Job paused', 'push', null, { push_token: 'ijklmnop', interval: 20, active: 0 }),
    database('postgres', `postgres://u:p@127.0.0.1:${open}/x`),
    database('mysql', `mysql://u:p@127.0.0.1:${open}/x`),
    database('mongodb', `mongodb://u:p@127.0.0.1:${open}/x`),
    database('sqlserver', `Server=127.0.0.1,${open};Database=x`),
    database('redis', `redis://127.0.0.1:${redis}`),
    other('Mail', 'smtp', UP, { ...local, port: smtp }),
    other('MQTT', 'mqtt', UP, { hostname: 'mqtt://127.0.0.1', port: open }),
    other('gRPC', 'grpc-keyword', UP, { grpc_url: `127.0.0.1:${open}` }),
    other('Kafka', 'kafka-producer', UP, { kafka_producer_brokers: `["127.0.0.1:${open}"]` }),
    other('RabbitMQ', 'rabbitmq', UP, { rabbitmq_nodes: JSON.stringify([http]) }),
    other('SNMP', 'snmp', UP, local),
    other('Game', 'gamedig', UP, { ...local, port: open, game: 'minecraft' }),
    other('Steam', 'steam', UP, { ...local, port: open }),
    other('Docker', 'docker', UP, { docker_container: 'web' }),
    web('Paused', DOWN, at('status/500'), { active: 0 }),
    web('Upside down', UP, at('status/500'), { upside_down: 1 }),
  ];
};
