import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthority, hasOpenssl } from '../../probes/web/certificates.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import type { User } from '../../servers/eventstoredb/access.ts';
import { startDoubleProcess } from '../../servers/eventstoredb/process.ts';
import { ADMIN, credentialsOf, OPERATOR, USERS } from '../../servers/eventstoredb/secured.ts';
import { skippedWithoutMongoDb, startMongoDb, testDatabase } from '../../servers/mongodb/server.ts';
import { createCheck } from '../checking.ts';
import { endPrograms, startOne, uptrail } from '../program.ts';
import { eventually } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** A member of `$ops` without any other rights. */
const SECOND: User = { name: 'second', password: 'second', groups: ['$ops'] };

const test = suite('a cluster on an EventStoreDB with TLS and users');
test.after.each(endPrograms);
test.after.each(closeServers);

/**
 * Creates a test. The test starts both servers of a cluster, and then calls `run` with a function that returns the
 * environment of a process for a user of EventStoreDB.
 */
const secured = (run: (environmentOf: (user: User) => Record<string, string>) => Promise<void>) => async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-secured-'));
  const authority = createAuthority();
  authority.make('events', { names: 'DNS:localhost,IP:127.0.0.1' });
  const eventStoreDb = await startDoubleProcess(join(folder, 'events.jsonl'), [
    ...['--tls-key', authority.file('events.key'), '--tls-cert', authority.file('events.crt')],
    ...['--users', JSON.stringify([...USERS, SECOND])],
  ]);
  const mongoDb = await startMongoDb();
  const database = testDatabase(mongoDb);
  try {
    await run((user) => ({
      EVENTSTOREDB_URL: `esdb://${credentialsOf(user)}127.0.0.1:${eventStoreDb.port}?tls=true&tlsCAFile=${authority.file('root.crt')}`,
      MONGODB_URL: database.url,
      SECRETS_KEY: '5'.repeat(64),
      ADMIN_API_KEY,
      REGIONS: 'eu-west1',
    }));
  } finally {
    await endPrograms();
    await eventStoreDb.end('SIGTERM');
    await database.drop();
    await mongoDb.stop();
    authority.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const MAY_NOT_READ =
  'EventStoreDB is not available: it refuses a right.\n' +
  'Its user uptrail may not read $all: a member of $admins grants that right with uptrail eventstoredb grant uptrail.\n';

if (!skippedWithoutMongoDb()) {
  if (!hasOpenssl())
    console.log('  skipped: openssl is not installed (a cluster on an EventStoreDB with TLS and users)');
  else
    test(
      'a cluster runs all duties as a member of $ops with the right to read $all, and reports rights that are missing',
      secured(async (environmentOf) => {
        const environment = environmentOf(OPERATOR);
        for (const duty of [['api'], ['project'], ['schedule'], ['run', '--region', 'eu-west1']]) {
          assert.equal(await uptrail({ ...environment, PORT: '0' }, ...duty), {
            code: 1,
            stdout: '',
            stderr: MAY_NOT_READ,
          });
        }
        const wrong = await uptrail({ ...environmentOf({ ...OPERATOR, password: 'wrong' }), PORT: '0' }, 'api');
        assert.is(wrong.stderr, 'EventStoreDB is not available: it refuses the user or the password.\n');

        // An administrator only needs the URL of the EventStoreDB.
        const { EVENTSTOREDB_URL = '' } = environmentOf(ADMIN);
        const granted = await uptrail({ EVENTSTOREDB_URL }, 'eventstoredb', 'grant', OPERATOR.name);
        assert.equal([granted.code, granted.stderr], [0, '']);
        assert.match(granted.stdout, /^uptrail may read \$all\.\nuptrail may read the parked runs of RU, Moscow\.\n/);
        const refused = await uptrail(environment, 'eventstoredb', 'grant', OPERATOR.name);
        assert.is(refused.code, 1);
        assert.match(refused.stderr, /Its user uptrail may not (read|change) the metadata of the stream \$all/);

        const target = await httpServer((_request, response) => response.end('All is well.'));
        const api = await startOne(['api'], environment);
        const others = [];
        for (const duty of [['project'], ['schedule'], ['run', '--region', 'eu-west1']]) {
          others.push(await startOne(duty, environment));
        }
        const ready = async (): Promise<boolean> => (await fetch(`${api.address}/health/ready`)).ok;
        await eventually(ready, { within: 60_000 });
        const check = await createCheck(api, ADMIN_API_KEY, {
          name: 'Shop',
          type: 'web',
          url: `http://127.0.0.1:${target.port}/`,
          interval: 30,
          timeout: 5,
        });
        await check.reaches('up', 60);

        const queue = await uptrail(environment, 'queue');
        assert.equal([queue.code, queue.stderr], [0, '']);
        // A user who may not read parked runs sees only their number.
        const blind = await uptrail(environmentOf(SECOND), 'queue');
        assert.equal([blind.code, blind.stdout], [0, queue.stdout]);
        assert.equal(
          blind.stderr.split('\n').slice(0, -1),
          ['', '-multistep', '-synthetic'].map(
            (own) =>
              `Its user second may not read $persistentsubscription-uptrail.check_runs-eu-west1${own}::workers-parked: ` +
              'a member of $admins grants that right with uptrail eventstoredb grant second.',
          ),
        );
        for (const program of [api, ...others]) {
          const { code, stderr } = await program.end('SIGTERM');
          assert.equal([code, stderr], [0, '']);
        }
      }),
    );
}

test.run();
