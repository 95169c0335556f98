import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { MongoClient } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryDirectory } from '../stores/temporary.ts';
import { skippedWithoutMongoDb, STAND_IN } from './mongodb/server.ts';
import { compiled } from '../project.ts';

/* Developers start the stand-ins with these commands, and scripts wait for these output lines. */
const test = suite('the stand-ins as commands');

type Started = ChildProcessByStdio<Writable, Readable, null>;

const started = new Set<Started>();
test.after.each(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

const start = (command: string, ...parameters: string[]): Started => {
  const child = spawn(command, parameters, { stdio: ['pipe', 'pipe', 'ignore'] });
  started.add(child);
  return child;
};

const saidFirst = async (child: Started): Promise<string> => String((await once(child.stdout, 'data'))[0]);

const endOf = async (child: Started): Promise<unknown[]> => once(child, 'exit');

const MAIN = compiled('test/servers/eventstoredb/main.ts');
const LISTENING = /^listening on 127\.0\.0\.1:(\d+)\n$/;

test('the EventStoreDB double prints its address, ends on SIGTERM, and keeps its events over a restart with the same file and port', async () => {
  const { directory, remove } = temporaryDirectory();
  const file = join(directory, 'events.jsonl');
  const first = start(process.execPath, MAIN, '--file', file);
  const output = await saidFirst(first);
  assert.match(output, LISTENING);
  const port = LISTENING.exec(output)?.[1] ?? '';
  const client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
  const { nextExpectedRevision } = await client.appendToStream('probe-1', jsonEvent({ type: 'Probed', data: {} }));
  assert.is(nextExpectedRevision, 0n);
  await client.dispose();
  const ended = endOf(first);
  first.kill('SIGTERM');
  assert.equal(await ended, [0, null]);

  const second = start(process.execPath, MAIN, '--port', port, '--file', file);
  assert.is(await saidFirst(second), `listening on 127.0.0.1:${port}\n`);
  const again = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
  const found = [];
  for await (const { event } of again.readStream('probe-1')) found.push(event?.type);
  assert.equal(found, ['Probed']);
  await again.dispose();
  remove();
});

if (process.env['MONGODB_URL'] === undefined && !skippedWithoutMongoDb()) {
  test('the stand-in for MongoDB prints only its port, and ends when its standard input closes', async () => {
    const java = start('java', '-cp', `${STAND_IN}:${STAND_IN}/jars/*`, 'Launcher', '0');
    const output = await saidFirst(java);
    assert.match(output, /^\d+\n$/);
    const client = new MongoClient(`mongodb://127.0.0.1:${output.trim()}/`);
    assert.equal((await client.db('probe').command({ ping: 1 }))['ok'], 1);
    await client.close();
    const ended = endOf(java);
    java.stdin.end();
    assert.equal(await ended, [0, null]);
  });
}

test.run();
