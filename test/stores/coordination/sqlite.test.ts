import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from '../../../stores/sqlite/driver.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CoordinationUnavailable } from '../../../stores/coordination/port.ts';
import { openSqliteCoordination } from '../../../stores/coordination/sqlite.ts';
import { NewerSchema } from '../../../stores/sqlite/migrate.ts';
import { startThread } from '../../../stores/thread.ts';
import { coordinationContract } from '../../contracts/coordination.ts';
import { temporaryDirectory } from '../temporary.ts';
import { abandonedClaimContract } from './abandoned-claims.ts';

coordinationContract(
  'SQLite',
  async () => {
    const { directory, remove } = temporaryDirectory();
    const again = async () => openSqliteCoordination({ file: join(directory, 'coordination.db') });
    const coordination = await again();
    return {
      coordination,
      again,
      dispose: async () => {
        await coordination.close();
        remove();
      },
    };
  },
  { durable: true },
);

const test = suite<{ file: string; remove: () => void }>('coordination.db');

test.before.each((context) => {
  const { directory, remove } = temporaryDirectory();
  Object.assign(context, { file: join(directory, 'coordination.db'), remove });
});

test.after.each(({ remove }) => {
  remove();
});

test('threads that open coordination.db concurrently for the first time all succeed, and get different generations', async ({
  file,
}) => {
  const threads = Array.from({ length: 4 }, () =>
    startThread('./generations-thread', import.meta.url, { workerData: { file, numbers: 50 } }),
  );
  const responses = await Promise.all(threads.map(async (thread) => (await once(thread, 'message'))[0] as number[]));
  await Promise.all(threads.map((thread) => thread.terminate()));
  assert.equal(
    responses.flat().toSorted((a, b) => a - b),
    Array.from({ length: 200 }, (_, index) => index + 1),
  );
});

test('coordination.db can be read while another connection writes', async ({ file }) => {
  const coordination = openSqliteCoordination({ file });
  await coordination.write('a', '1');
  const other = new Database(file);
  other.exec("BEGIN IMMEDIATE; UPDATE small_values SET value = '2'");
  assert.is(await coordination.read('a'), '1');
  other.exec('COMMIT');
  assert.is(await coordination.read('a'), '2');
  other.close();
  await coordination.close();
});

test('all claims of dead processes can be withdrawn from coordination.db together, and stored responses stay', async ({
  file,
}) => {
  const coordination = openSqliteCoordination({ file });
  await abandonedClaimContract(coordination);
  await coordination.close();
});

test('a coordination.db that is not a database is unavailable', ({ file }) => {
  writeFileSync(file, 'no database '.repeat(1_000));
  assert.throws(
    () => openSqliteCoordination({ file }),
    (error: unknown) => error instanceof CoordinationUnavailable && error.message.includes('SQLITE_NOTADB'),
  );
});

test('a coordination.db of a newer release is refused', ({ file }) => {
  const newer = new Database(file);
  newer.pragma('user_version = 99');
  newer.close();
  assert.throws(
    () => openSqliteCoordination({ file }),
    (error: unknown) => error instanceof NewerSchema && error.message.includes('schema version 99'),
  );
});

test.run();
