import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../../cli/program.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import { createRunner } from '../../../commands/runners.ts';
import { IllegalState, NotFound } from '../../../domain/errors.ts';
import { bootstrap, firstOrganizationOf } from '../../../service/bootstrap.ts';
import { commandLineContext } from '../../../service/command-line.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { openSqliteEventStore } from '../../../stores/event-store/sqlite/open.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';

const test = suite('uptrail runner');
const TOKEN = /^upr_[A-Za-z0-9_-]{43}$/;

/** Runs the program on a data directory. @returns the lines that the program has printed */
const uptrail = async (DATA_DIR: string, ...words: string[]): Promise<string[]> => {
  const output = collectLines();
  await createProgram({ DATA_DIR }, output, () => undefined).parseAsync(['node', 'uptrail', 'runner', ...words]);
  return output.lines;
};

/** Fills a data directory like the first start of a service, and adds a private location of another organization. */
const started = async (folder: string) => {
  const main = createCheckedStore(
    await openSqliteEventStore({ file: join(folder, 'events.db'), name: 'main', mode: 'appender' }),
  );
  const logId = await openLogIdentity(main, Date.now);
  const handle = createHandle({ store: main, clock: Date.now });
  await bootstrap({ handle, logId, keyFile: null, adminApiKey: 'the-admin-key-of-this-test' });
  const location = await createRunner({ handle, runners: {} })(
    { name: 'Office', region: null },
    false,
    commandLineContext('globex'),
  );
  await main.close();
  return { first: firstOrganizationOf(logId), location: location.id };
};

interface Listed {
  id: string;
  name: string;
  region: string;
  organization_id: string;
  revoked_at: string | null;
  released: boolean;
  former_token_until: string | null;
}
const listed = async (folder: string): Promise<Listed[]> =>
  (await uptrail(folder, 'list', '--json')).map((line) => JSON.parse(line) as Listed);

test(
  'uptrail runner create adds a runner to a public region, and prints only its token on the last line',
  inTemporaryFolder(async (folder) => {
    const { first, location } = await started(folder);
    const lines = await uptrail(folder, 'create', '--region', 'eu-west1');
    assert.match(lines.at(-1) ?? '', TOKEN);
    assert.match(
      lines[0] ?? '',
      /^The runner "EU, West" \(\w{12}\) now serves EU, West instead of the built-in runner/,
    );
    const [json = ''] = await uptrail(folder, 'create', '--region', 'EU, West', '--name', 'Dublin', '--json');
    const made = JSON.parse(json) as { id: string; name: string; region: string; token: string };
    assert.equal([made.name, made.region], ['Dublin', 'EU, West']);
    assert.match(made.token, TOKEN);
    const all = await listed(folder);
    assert.equal(
      all.map(({ name, organization_id }) => [name, organization_id]),
      [
        ['Office', 'globex'],
        ['EU, West', first],
        ['Dublin', first],
      ],
    );
    assert.not.match(JSON.stringify(all), /token_hash|upr_/);
    const shown = await uptrail(folder, 'list');
    assert.is(shown.length, 4);
    assert.match(shown[0] ?? '', /^ID +NAME +REGION/);
    for (const [option, value, sentence] of [
      ['--region', 'mars', '--region: The region "mars" does not exist. Use one of ru-central1, asia-south1, '],
      ['--region', `private-${location}`, `--region: "private-${location}" is a private location, which its`],
      ['--name', ' ', '--name: Must not be blank.'],
    ] as const) {
      const words = option === '--region' ? [option, value] : ['--region', 'eu-west1', option, value];
      await rejects(uptrail(folder, 'create', ...words), OperatorError, new RegExp(sentence));
    }
  }),
);

test(
  'uptrail runner rotates and revokes tokens of runners of any organization',
  inTemporaryFolder(async (folder) => {
    const { location } = await started(folder);
    assert.match((await uptrail(folder, 'rotate', location)).at(-1) ?? '', TOKEN);
    assert.ok((await listed(folder))[0]?.former_token_until);
    assert.equal(await uptrail(folder, 'revoke', location), [`The runner "Office" (${location}) is revoked.`]);
    assert.ok((await listed(folder))[0]?.revoked_at);
    await rejects(uptrail(folder, 'rotate', location), NotFound, 'This runner is revoked. Create another one.');
    await rejects(uptrail(folder, 'revoke', location), NotFound, 'This runner is revoked. Create another one.');
    await rejects(uptrail(folder, 'revoke', 'nobody'), OperatorError, 'No runner has the id "nobody".');
  }),
);

test(
  'uptrail runner release releases a region only after all of its runners are revoked',
  inTemporaryFolder(async (folder) => {
    const { location } = await started(folder);
    await uptrail(folder, 'create', '--region', 'eu-west1', '--name', 'Dublin');
    await uptrail(folder, 'create', '--region', 'eu-west1', '--name', 'Brussels');
    await rejects(
      uptrail(folder, 'release', 'EU, West'),
      IllegalState,
      /^The region has runners that are not revoked: "\w+" \(\w{12}\), "\w+" \(\w{12}\)\. Revoke them first\.$/,
    );
    assert.ok((await listed(folder)).every(({ revoked_at, released }) => revoked_at === null && !released));
    const done = 'The built-in runner serves EU, West again; its remote runners are revoked.';
    assert.equal(await uptrail(folder, 'release', 'eu-bel1', '--revoke'), [done]);
    assert.equal(
      (await listed(folder)).map(({ name, revoked_at, released }) => [name, revoked_at !== null, released]),
      [
        ['Office', false, false],
        ['Dublin', true, true],
        ['Brussels', true, true],
      ],
    );
    const none = 'The region "EU, West" has no remote runner: the built-in runner already serves it.';
    await rejects(uptrail(folder, 'release', 'eu-west1'), OperatorError, none);
    await rejects(uptrail(folder, 'release', `private-${location}`), OperatorError, /is a private location/);
  }),
);

test.run();
