import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { channelName } from '../../../../stores/event-store/sqlite/growth.ts';
import { startLogThread } from '../../../../stores/event-store/sqlite/log-appender.ts';
import { openSqliteEventStore } from '../../../../stores/event-store/sqlite/open.ts';
import { event } from '../../../contracts/event-store/events.ts';
import { temporaryDirectory } from '../../temporary.ts';
import { openService } from './temporary.ts';
import { compiled } from '../../../project.ts';
import { eventually, realPause } from '../../../waiting.ts';

const test = suite<{ directory: string; file: string; remove: () => void }>('a SQLite log in a service');

test.before.each((context) => {
  Object.assign(context, temporaryDirectory());
  context.file = join(context.directory, 'events.db');
});
test.after.each(({ remove }) => {
  remove();
});

const PROGRAM = compiled('test/stores/event-store/sqlite/appending-process.ts');

interface Appending {
  child: ChildProcess;
  lines: string[];
  /** waits until a line satisfies the condition */
  said: (satisfies: (line: string, index: number) => boolean) => Promise<void>;
  kill: () => Promise<void>;
}

const startAppending = (file: string, writers: number, wrapper: readonly string[] = []): Appending => {
  const [command, ...rest] = [...wrapper, process.execPath, PROGRAM, file, writers.toString()];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const ended = new Promise<void>((resolve) =>
    child.on('close', () => {
      resolve();
    }),
  );
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return {
    child,
    lines,
    said: async (satisfies) => {
      await eventually(() => {
        if (child.exitCode !== null) throw new Error(`It has ended:\n${lines.join('\n')}`);
        return lines.some(satisfies);
      });
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/** Returns the highest acknowledged revision of each stream. */
const acknowledged = (lines: readonly string[]): Map<string, number> => {
  const revisions = new Map<string, number>();
  for (const line of lines) {
    const match = /^(ship-\S+) (\d+)$/.exec(line);
    if (match?.[1]) revisions.set(match[1], Number(match[2]));
  }
  return revisions;
};

test('every acknowledged append survives kill -9 in the middle of writes', async ({ file }) => {
  const revisions = new Map<string, number>();
  for (let round = 0; round < 4; round++) {
    const service = startAppending(file, 12);
    const enough = 20 + Math.floor(Math.random() * 400);
    await service.said((_, index) => index >= enough);
    await service.kill();
    for (const [stream, revision] of acknowledged(service.lines)) revisions.set(stream, revision);

    const store = await openSqliteEventStore({ file, name: 'main', mode: 'appender' });
    for (const [stream, revision] of revisions) {
      const stored = await store.readStream(stream);
      assert.ok(stored.length > revision, `${stream} has ${stored.length} events`);
      assert.is(stored.length % 2, 0, 'an append is stored whole or not at all');
      assert.ok(stored.every((event, index) => event.revision === BigInt(index)));
    }
    await store.close();
  }
  assert.ok(revisions.size >= 48);
});

test('a log on a full disk can be read, reports the failure, and accepts appends again automatically when there is free space', async ({
  file,
}) => {
  if (spawnSync('prlimit', ['--version']).error) {
    console.log('skipped: prlimit is not installed');
    return;
  }
  const service = startAppending(file, 3, ['prlimit', '--fsize=400000:unlimited']);
  try {
    await service.said((line) => line.startsWith('refused'));
    const refusal = service.lines.find((line) => line.startsWith('refused'));
    assert.match(
      String(refusal),
      /^refused readable {"writable":false,"message":"The log main can't be written: .+"}$/,
    );
    const before = service.lines.length;
    await realPause(50, 'no other process writes meanwhile');
    assert.ok(service.lines.slice(before).every((line) => !line.startsWith('ship-')));
    spawnSync('prlimit', ['--pid', String(service.child.pid), '--fsize=unlimited']);
    await service.said((line) => line === 'writable');
    const writableAt = service.lines.indexOf('writable');
    await service.said((line, index) => index > writableAt + 10 && line.startsWith('ship-'));
  } finally {
    await service.kill();
  }
  const store = await openSqliteEventStore({ file, name: 'main', mode: 'appender' });
  for (const [stream, revision] of acknowledged(service.lines)) {
    assert.ok((await store.readStream(stream)).length > revision);
  }
  await store.close();
});

test('a log accepts appends again after its thread ended unexpectedly', async ({ file }) => {
  const appends = await startLogThread({ name: 'main', file });
  const events = [{ id: '00000000-0000-4000-8000-000000000000', type: 'ShipLoaded', data: '{}', metadata: '{}' }];
  const fatal = { stream: 'ship-1', expected: 'any', events: null as never } as const;
  const [response] = await Promise.all([appends.append(fatal), appends.append({ ...fatal, events })]);
  assert.is(response.outcome, 'unavailable');
  assert.match(String(appends.health().message), /^The log main can't be written: .+\.$/);
  await eventually(() => appends.health().writable);
  const again = await appends.append({ stream: 'ship-1', expected: 'any', events });
  assert.equal(again, { outcome: 'appended', revision: 0, position: 1 });
  assert.equal(appends.health(), { writable: true, message: null });
  await appends.close();
});

test('a commit is announced immediately to the other threads of the process', async ({ file }) => {
  const store = await openService(file);
  const channel = new BroadcastChannel(channelName('main', file));
  const announced = new Promise((resolve) => {
    channel.onmessage = resolve;
  });
  await store.append('ship-1', [event()], 'no_stream');
  await announced;
  channel.close();
  await store.close();
});

test('a closed log leaves a single file', async ({ file, directory }) => {
  const store = await openService(file);
  await store.close();
  await store.close();
  assert.equal(readdirSync(directory), ['events.db']);
});

test('a log in a missing directory is refused with the reason', async ({ directory }) => {
  let message = '';
  await openService(join(directory, 'missing', 'events.db')).catch((error: unknown) => {
    message = String(error);
  });
  assert.match(message, /directory does not exist/);
});

test.run();
