/**
 * The double as a process of its own, so that it can be killed and started again:
 * `node --import tsx test/servers/eventstoredb/main.ts [--port 2113] [--file events.jsonl]`.
 *
 * Prints `listening on 127.0.0.1:2113` when it takes connections. Started with an IPC channel, it ends with
 * the process that started it.
 */
import { parseArgs } from 'node:util';
import { startDouble } from './server.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, file: { type: 'string' } } });
const server = await startDouble({
  port: Number(values.port),
  ...(values.file !== undefined && { file: values.file }),
});
console.log(`listening on 127.0.0.1:${server.port.toString()}`);
const end = (): void => {
  void server.close().then(() => process.exit(0));
};
process.on('SIGTERM', end);
process.on('SIGINT', end);
process.on('disconnect', end);
