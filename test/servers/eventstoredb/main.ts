/**
 * Runs the double as a process of its own, so that it can be killed and started again: `node
 * build/test/servers/eventstoredb/main.js [--port 2113] [--file events.jsonl]`, and for a secured one `[--tls-key
 * good.key --tls-cert good.crt] [--users '[{"name":"admin","password":"changeit","groups":["$admins"]}]']`.
 *
 * Prints `listening on 127.0.0.1:2113` when it accepts connections. A double that was started with an IPC channel ends
 * when its parent process ends.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { User } from './access.ts';
import { startDouble } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    file: { type: 'string' },
    'tls-key': { type: 'string' },
    'tls-cert': { type: 'string' },
    users: { type: 'string' },
  },
});
const { 'tls-key': key, 'tls-cert': cert, users } = values;
const server = await startDouble({
  port: Number(values.port),
  ...(values.file !== undefined && { file: values.file }),
  ...(key !== undefined &&
    cert !== undefined && { tls: { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') } }),
  ...(users !== undefined && { users: JSON.parse(users) as User[] }),
});
console.log(`listening on 127.0.0.1:${server.port}`);
const end = (): void => {
  void server.close().then(() => process.exit(0));
};
process.on('SIGTERM', end);
process.on('SIGINT', end);
process.on('disconnect', end);
