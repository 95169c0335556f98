import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeDataDirectory } from '../../service/embedded/data-directory.ts';
import { serveCommands, LOG_GROWN } from '../../service/command-socket.ts';
import { openLog } from '../../service/stores.ts';
import { openLogIdentity as idOfLog } from '../../stores/event-store/identity.ts';
import { announceGrowth } from '../../stores/event-store/sqlite/growth.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { inTemporaryFolder } from './temporary.ts';

const test = suite('a command that appends to a log');

test(
  'a command that appends to a log notifies the service that is running on the same data directory',
  inTemporaryFolder(async (folder) => {
    const directory = makeDataDirectory(folder);
    let notified = 0;
    const stop = await serveCommands(directory, {
      [LOG_GROWN]: async () => {
        notified += 1;
        return null;
      },
    });
    const log = await openLog(directory, 'main', 'appender');
    try {
      await idOfLog(log);
      assert.is(notified, 1);
    } finally {
      await log.close();
      await stop();
    }
  }),
);

test(
  'a command can append to a log without a running service',
  inTemporaryFolder(async (folder) => {
    const log = await openLog(makeDataDirectory(folder), 'main', 'appender');
    await idOfLog(log);
    assert.is((await log.readAll({ after: 0n })).length, 1);
    await log.close();
  }),
);

test(
  'the subscriptions to a log continue to read after a notification that the log has grown',
  inTemporaryFolder(async (folder) => {
    const { events: file } = makeDataDirectory(folder);
    const commands = await openSqliteEventStore({ file, name: 'main', mode: 'appender' });
    const service = await openSqliteEventStore({ file, name: 'main', mode: 'reader' });
    const stop = new AbortController();
    const followed = service.subscribe({ after: 0n, signal: stop.signal })[Symbol.asyncIterator]();
    const next = followed.next();
    await idOfLog(commands);
    announceGrowth('main', file);
    const { value: events } = (await next) as { value: readonly unknown[] };
    assert.is(events.length, 1);
    stop.abort();
    await service.close();
    await commands.close();
  }),
);

test.run();
