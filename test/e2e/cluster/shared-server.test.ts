import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../../stores/eventstoredb/connection.ts';
import { openMongoCoordination } from '../../../stores/coordination/mongodb/open.ts';
import { openMongoDb } from '../../../stores/mongodb/open.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { foreignStreamNames, writeForeign } from '../../servers/eventstoredb/foreign-programs.ts';
import { testDatabase } from '../../servers/mongodb/server.ts';
import { deleteStreams } from '../../stores/event-store/eventstoredb/opened.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { readOnceBuilt } from '../polling.ts';
import { callApi, endPrograms, startOne, uptrail, type RunningProgram } from '../program.ts';
import { eventually } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('a shared EventStoreDB');
test.after.each(endPrograms);

const created = async (program: RunningProgram, path: string, body: object): Promise<string> => {
  return eventually(
    async () => {
      const { status, body: response } = await callApi(program, ADMIN_API_KEY, 'POST', path, body);
      if (status === 200 || status === 201) return (response as { id: string }).id;
      // The service refuses requests until its read models have been built for the first time.
      if (status === 503 || status === 401) return null;
      throw new Error(`${path}: ${status} ${JSON.stringify(response)}`);
    },
    { within: 60_000, what: `${path} is served` },
  );
};

const read = (program: RunningProgram, path: string): Promise<unknown> => readOnceBuilt(program, ADMIN_API_KEY, path);

/** Waits until a check has a result and the service is ready. @returns the number of pages */
const works = async (program: RunningProgram, check: string): Promise<number> => {
  await eventually(
    async () => ((await read(program, `/v1/checks/${check}/results`)) as { results: unknown[] }).results.length > 0,
    { within: 60_000, what: 'the check has a result' },
  );
  // Other read models may still be being built.
  await eventually(async () => (await callApi(program, ADMIN_API_KEY, 'GET', '/health/ready')).status === 200, {
    within: 60_000,
    what: 'the service is ready',
  });
  return ((await read(program, '/v1/pages')) as { pages: unknown[] }).pages.length;
};

const itself = ({ address }: RunningProgram): object => ({
  name: 'Itself',
  type: 'web',
  interval: 30,
  url: `${address}/health/live`,
});

/** The commands that open the logs of a cluster. `x` is a placeholder for an id. */
const COMMANDS = [
  ['api'],
  ['project'],
  ['schedule'],
  ['run', '--region', 'eu-west1'],
  ['serve'],
  ['organization', 'list'],
  ['organization', 'create', '--name', 'Another'],
  ['organization', 'credit-limit', 'x', '5'],
  ['api-key', 'list'],
  ['api-key', 'create', '--organization', 'x', '--role', 'admin', '--name', 'Another'],
  ['api-key', 'revoke', 'x'],
  ['history', 'page', 'x'],
  ['replay'],
  ['checks'],
  ['queue'],
  ['queue', 'release', 'x'],
  ['projections'],
  ['rebuild', '--all'],
];

/**
 * Commands that open only the database. They refuse a database of another prefix, but can't detect a database of
 * another log.
 */
const OF_DATABASE = [['reactors', 'resume'], ['retention'], ['keys', 'forget', 'x']];

if (!skippedWithoutCluster()) {
  test(
    'two services whose prefixes begin alike share an EventStoreDB with other programs, and one service moves to another prefix',
    inTemporaryFolder(async (folder) => {
      const servers = await startClusterServers(`${folder}/servers`);
      const databases = [testDatabase(servers.mongoDb), testDatabase(servers.mongoDb)] as const;
      const prefix = servers.environment['EVENTSTOREDB_PREFIX'] ?? '';
      const url = servers.environment['EVENTSTOREDB_URL'] ?? '';
      const connection = connect(url);
      const foreign = foreignStreamNames(prefix).filter((stream) => !stream.startsWith(`${prefix}b.`));
      const disturb = async (): Promise<void> => {
        for (const stream of foreign) await writeForeign(connection, stream);
      };
      const one = { ...servers.environment, ADMIN_API_KEY, REGIONS: 'eu-west1' };
      const other = { ...one, EVENTSTOREDB_PREFIX: `${prefix}b.`, MONGODB_URL: databases[0].url };
      const moved = { ...one, EVENTSTOREDB_PREFIX: `${prefix}c.`, MONGODB_URL: databases[1].url };
      try {
        await disturb();
        const programs = [await startOne(['serve'], one), await startOne(['serve'], other)] as const;
        const checks: string[] = [];
        for (const [index, program] of programs.entries()) {
          for (let pages = 0; pages <= index; pages++) await created(program, '/v1/pages', { name: 'Acme' });
          await disturb();
          checks.push(await created(program, '/v1/checks', itself(program)));
        }
        await disturb();
        for (const [index, program] of programs.entries()) {
          assert.is(await works(program, checks[index] ?? ''), index + 1);
        }
        for (const program of programs) await program.end('SIGTERM');
        await disturb();

        const again = await startOne(['serve'], one);
        assert.is(await works(again, checks[0] ?? ''), 1);
        await created(again, '/v1/pages', { name: 'Acme again' });
        await again.end('SIGTERM');
        const shown = await uptrail(one, 'projections', '--json');
        assert.is(shown.code, 0, shown.stderr);

        assert.is((await uptrail(one, 'export', `${folder}/moving`)).code, 0);
        const refused = await uptrail({ ...moved, MONGODB_URL: other.MONGODB_URL }, 'import', `${folder}/moving`);
        assert.match(refused.stderr, 'EVENTSTOREDB_PREFIX is');
        const imported = await uptrail(moved, 'import', `${folder}/moving`);
        assert.is(imported.code, 0, imported.stderr);
        const first = await startOne(['serve'], moved);
        assert.is(await works(first, checks[0] ?? ''), 2);
        await first.end('SIGTERM');
        const opened = async (environment: Record<string, string>): Promise<unknown> =>
          JSON.parse((await uptrail(environment, 'replay', '--stream', 'log-main')).stdout.split('\n')[0] ?? '');
        assert.equal(
          ((await opened(moved)) as { data: object }).data,
          ((await opened(one)) as { data: object }).data,
          'it keeps its id',
        );
      } finally {
        await connection.close();
        if (!servers.eventStoreDb.own) await deleteStreams(url, foreign);
        for (const database of databases) await database.drop();
        await servers.stop();
      }
    }),
  );

  test(
    'every duty and command refuses the database of another prefix or log, and changes nothing',
    inTemporaryFolder(async (folder) => {
      const servers = await startClusterServers(`${folder}/servers`);
      const prefix = servers.environment['EVENTSTOREDB_PREFIX'] ?? '';
      const mine = { ...servers.environment, ADMIN_API_KEY, REGIONS: 'eu-west1' };
      const mongoDb = openMongoDb(servers.database.url);
      const coordination = openMongoCoordination(mongoDb);
      const connection = connect(servers.environment['EVENTSTOREDB_URL'] ?? '');
      const { client, credentials } = connection;
      /** Reads the ids of all events, and what the database stores about the logs and read models. */
      const state = async (): Promise<unknown> => {
        const events = [];
        for await (const { event } of client.readAll({ ...credentials })) {
          if (event && !event.streamId.startsWith('$')) events.push(event.id);
        }
        const values = (await coordination.readByPrefix('')).filter(({ name }) => name.startsWith('log:'));
        return { events, values, catalogue: await coordination.catalogue() };
      };
      try {
        const program = await startOne(['serve'], mine);
        await created(program, '/v1/pages', { name: 'Acme' });
        await program.end('SIGTERM');
        const id = (await coordination.read('log:main')) ?? '';
        assert.is(await coordination.read('log:prefix'), prefix);
        const exported = await uptrail(mine, 'export', `${folder}/mine`);
        assert.is(exported.code, 0, exported.stderr);
        const before = await state();

        const refused = async (environment: Record<string, string>, commands: string[][], sentence: RegExp) => {
          for (const command of commands) {
            const { code, stderr } = await uptrail({ PORT: '0', ...environment }, ...command);
            assert.is(code, 1, command.join(' '));
            assert.match(stderr, sentence, command.join(' '));
          }
        };
        const other = `${prefix}b.`;
        const bothPrefixes = new RegExp(
          `${id} in streams that begin with ${prefix}, but EVENTSTOREDB_PREFIX is ${other}: .* EVENTSTOREDB_PREFIX=${prefix}`,
        );
        const transfers = [
          ['export', `${folder}/moving`],
          ['import', `${folder}/moving`],
        ];
        await refused(
          { ...mine, EVENTSTOREDB_PREFIX: other },
          [...COMMANDS, ...OF_DATABASE, ...transfers],
          bothPrefixes,
        );
        assert.equal(await state(), before);

        // An earlier release left this value for streams without a prefix.
        await coordination.write('log:prefix', 'none');
        await refused(mine, [['api']], new RegExp(`${id} in streams without a prefix, .* EVENTSTOREDB_PREFIX=none`));
        await coordination.write('log:prefix', prefix);

        const unknown = randomUUID();
        await coordination.write('log:main', unknown);
        const known = await state();
        await refused(
          mine,
          [...COMMANDS, ['export', `${folder}/moving`]],
          new RegExp(`${unknown}, but .* is ${id}: nothing`),
        );
        await refused(
          mine,
          [['import', `${folder}/mine`]],
          new RegExp(`to the log main ${id}, but .* to the log main ${unknown}: nothing was imported`),
        );
        assert.equal(await state(), known);
      } finally {
        await connection.close();
        await coordination.close();
        await mongoDb.close();
        await servers.stop();
      }
    }),
  );

  test.run();
}
