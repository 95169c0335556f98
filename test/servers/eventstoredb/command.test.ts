import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../../rejects.ts';
import { temporaryDirectory } from '../../stores/temporary.ts';
import { startByCommand } from './command.ts';
import { compiled } from '../../project.ts';

const test = suite('an EventStoreDB started by a command');

const MAIN = compiled('test/servers/eventstoredb/main.ts');

/** Writes a program that starts the server as a child process instead of replacing itself by the server. */
const program = (directory: string, line: string): string => {
  const file = join(directory, 'program');
  writeFileSync(file, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
  return file;
};

const typesOf = async (client: EventStoreDBClient): Promise<string[]> => {
  const types = [];
  for await (const { event } of client.readStream('probe-1')) types.push(event?.type ?? '');
  return types;
};

test('an EventStoreDB started by a command accepts appends, is killed with all its processes, and has its events after a restart', async () => {
  const { directory, remove } = temporaryDirectory();
  const line = `${process.execPath} ${MAIN} --file "$1/events.jsonl" --port "$2" & echo $! > "$1/pid"; wait`;
  const server = await startByCommand(program(directory, line), directory);
  const url = `esdb://127.0.0.1:${server.port}?tls=false`;
  const first = EventStoreDBClient.connectionString(url);
  await first.appendToStream('probe-1', jsonEvent({ type: 'Probed', data: {} }));
  await server.end('SIGKILL');
  await rejects(first.appendToStream('probe-1', jsonEvent({ type: 'Probed', data: {} })), Error);
  await server.again();
  const second = EventStoreDBClient.connectionString(url);
  assert.equal(await typesOf(second), ['Probed']);
  await server.end('SIGTERM');
  await Promise.all([first.dispose(), second.dispose()]);
  remove();
});

test('a command for EventStoreDB that ends or does not exist is reported', async () => {
  const { directory, remove } = temporaryDirectory();
  const ends = program(directory, 'exit 3');
  await rejects(startByCommand(ends, directory), Error, `${ends} ended with 3 before it was asked to.`);
  await rejects(startByCommand(join(directory, 'nothing'), directory), Error, /ENOENT/);
  remove();
});

test.run();
