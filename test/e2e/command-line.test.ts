import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApi, endPrograms, IS_CLUSTER, serve, uptrail } from './program.ts';
import { eventually } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

/** Parses lines of JSON objects. */
const objects = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const test = suite('the command line');
test.after.each(endPrograms);

test(
  'while the service runs, the command line creates organizations and API keys, which the service accepts immediately',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const run = async (...parameters: string[]) => {
      const ended = await uptrail({ DATA_DIR }, ...parameters);
      assert.is(ended.code, 0, ended.stderr);
      return ended.stdout;
    };
    const [acme] = objects(await run('organization', 'create', '--name', 'Acme', '--json'));
    const organization = String(acme?.['id']);
    const made = await run(
      'api-key',
      'create',
      '--organization',
      organization,
      '--role',
      'editor',
      '--name',
      'Deploys',
    );
    const key = made.trim().split('\n').at(-1) ?? '';
    const id = / has the id (\w{12}) /.exec(made)?.[1] ?? '';

    const page = await callApi(program, key, 'POST', '/v1/pages', { name: 'Of Acme' });
    assert.is(page.status, 200);
    const { id: pageId, organization_id } = page.body as { id: string; organization_id: string };
    assert.is(organization_id, organization);
    assert.is((await callApi(program, ADMIN_API_KEY, 'GET', `/v1/pages/${pageId}`)).status, 404);
    assert.is((await callApi(program, key, 'GET', '/v1/audit')).status, 403);

    const keys = objects(await run('api-key', 'list', '--organization', organization, '--json'));
    assert.equal(
      keys.map(({ id: listed, role, name }) => [listed, role, name]),
      [[id, 'editor', 'Deploys']],
    );
    assert.not.match(JSON.stringify(keys), key);

    const limited = await run('organization', 'credit-limit', organization, '500');
    assert.is(limited, `The organization ${organization} may use 500 credits a month. Used this month: 0.\n`);
    const shown = async () => {
      const { body } = await callApi(program, key, 'GET', `/v1/organizations/${organization}`);
      return (body as { credits: { limit: number | null } }).credits.limit;
    };
    await eventually(async () => (await shown()) === 500);
    assert.match(await run('organization', 'list'), new RegExp(`${organization} +Acme +500 `));
    assert.match(await run('organization', 'credit-limit', organization, 'none'), 'may use the credits of its plan.');

    // The command returns only after every process refuses the key.
    assert.match(await run('api-key', 'revoke', id), 'is revoked.');
    assert.is((await callApi(program, key, 'GET', '/v1/pages')).status, 401);
    await program.end('SIGTERM');
  }),
);

test(
  'while the service runs, the command line creates, rotates, revokes and releases remote runners, and the service applies each change immediately',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const run = async (...parameters: string[]) => {
      const ended = await uptrail({ DATA_DIR }, 'runner', ...parameters);
      assert.is(ended.code, 0, ended.stderr);
      return ended.stdout.trim().split('\n');
    };
    const stateOf = async (id: string): Promise<unknown> => {
      const { body } = await callApi(program, ADMIN_API_KEY, 'GET', `/v1/runners/${id}`);
      return (body as { state?: string }).state;
    };
    const [made] = objects((await run('create', '--region', 'eu-west1', '--json')).join('\n'));
    const id = String(made?.['id']);
    await eventually(async () => (await stateOf(id)) === 'waiting');
    const token = (await run('rotate', id)).at(-1) ?? '';
    assert.match(token, /^upr_[A-Za-z0-9_-]{43}$/);
    assert.match((await run('revoke', id))[0] ?? '', 'is revoked.');
    await eventually(async () => (await stateOf(id)) === 'revoked');
    assert.match((await run('release', 'eu-west1'))[0] ?? '', 'The built-in runner serves EU, West again');
    assert.not.match((await run('list', '--json')).join('\n'), token);
    const history = await uptrail({ DATA_DIR }, 'history', 'runner', id);
    assert.is(history.code, 0, history.stderr);
    assert.match(history.stdout, /released/);
    const before = await uptrail({ DATA_DIR }, 'history', 'runner', id, '--at', '2999-01-01', '--json');
    assert.is((JSON.parse(before.stdout) as { name?: string }).name, 'EU, West');
    await program.end('SIGTERM');
  }),
);

// These tests stop the service. A cluster has no data directory, and its servers keep running.
if (!IS_CLUSTER) {
  test(
    'the command line works without a running service, and reports each error in one sentence',
    inTemporaryFolder(async (DATA_DIR) => {
      const never = await uptrail({ DATA_DIR: `${DATA_DIR}/nowhere` }, 'organization', 'list');
      assert.is(never.code, 1);
      assert.match(never.stderr, /^.*nowhere contains no data of Uptrail\. Set DATA_DIR/);

      await (await serve({ DATA_DIR, ADMIN_API_KEY })).end('SIGTERM');
      assert.is((await uptrail({ DATA_DIR }, 'organization', 'create', '--name', 'Acme')).code, 0);
      const listed = await uptrail({ DATA_DIR }, 'organization', 'list', '--json');
      const organizations = objects(listed.stdout);
      assert.equal(
        organizations.map(({ name }) => name),
        ['Default', 'Acme'],
      );
      const [first] = organizations;

      const refused = async (...parameters: string[]): Promise<string> => {
        const { code, stdout, stderr } = await uptrail({ DATA_DIR }, ...parameters);
        assert.is(code, 1);
        assert.is(stdout, '');
        return stderr;
      };
      const [key] = objects((await uptrail({ DATA_DIR }, 'api-key', 'list', '--json')).stdout);
      assert.match(await refused('api-key', 'revoke', String(key?.['id'])), /^This is the last admin key/);
      assert.match(await refused('api-key', 'revoke', 'nobody'), /^No API key has the id "nobody"\.\n$/);
      const create = ['api-key', 'create', '--role', 'admin', '--name', 'x', '--organization', String(first?.['id'])];
      const bad: [option: string, value: string, sentence: RegExp][] = [
        ['--role', 'owner', /^--role: There is no role "owner"\./],
        ['--organization', 'nobody', /^--organization: No organization has the id "nobody"\.\n$/],
        ['--name', ' \u3164', /^--name: Must not be blank\.\n$/],
        ['--name', 'x'.repeat(101), /^--name: Must be at most 100 characters long\.\n$/],
        ['--expires', 'soon', /^--expires: "soon" is not a valid time\./],
        ['--expires', '2026-01-01', /^--expires: Must be in the future\.\n$/],
      ];
      for (const [option, value, sentence] of bad) assert.match(await refused(...create, option, value), sentence);
      assert.match(await refused('organization', 'create', '--name', ' '), /^--name: Must not be blank\.\n$/);
      const limit = ['organization', 'credit-limit'];
      assert.match(await refused(...limit, 'nobody', '5'), /^There is no such organization\.\n$/);
      assert.match(await refused(...limit, String(first?.['id']), 'many'), /^"many" is not a credit limit\./);
      const short = await uptrail({ DATA_DIR, RESULT_RETENTION_DAYS: '30' }, ...limit, String(first?.['id']), '5');
      assert.match(short.stderr, /RESULT_RETENTION_DAYS must be at least 31/);
      assert.match(await refused('rebuild', 'everything'), /^The read model "everything" does not exist\. Use one of /);
      assert.match(await refused('rebuild'), /name the read models to rebuild/);
      assert.match(await refused('replay', '--log', 'other'), /The logs are main and results/);
      assert.match(await refused('history', 'page', 'nobody'), /^No page has the id "nobody"\.\n$/);
      assert.match(await refused('frobnicate'), /unknown command 'frobnicate'/);
    }),
  );
}

test(
  'the command line shows histories, replays logs and rebuilds read models while the service runs',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const created = await callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Acme' });
    const { id: page } = created.body as { id: string };
    const before = new Date().toISOString();
    await callApi(program, ADMIN_API_KEY, 'PATCH', `/v1/pages/${page}`, { name: 'Acme status' });

    const printed = await uptrail({ DATA_DIR }, 'history', 'page', page);
    assert.match(printed.stdout, /UTC {2}Page created, by API key Admin \(\w{12}, admin\), from 127\.0\.0\.1, /);
    assert.match(printed.stdout, '\n    name: Acme → Acme status\n');
    const [, second] = objects((await uptrail({ DATA_DIR }, 'history', 'page', page, '--json')).stdout);
    assert.equal(second?.['changes'], { name: { old: 'Acme', new: 'Acme status' } });
    const past = JSON.parse((await uptrail({ DATA_DIR }, 'history', 'page', page, '--at', before)).stdout) as object;
    assert.equal({ ...past, activity_score: 0 }, created.body);

    const replayed = objects((await uptrail({ DATA_DIR }, 'replay', '--stream', `page-${page}`)).stdout);
    assert.equal(
      replayed.map(({ type }) => type),
      ['PageCreated', 'PageUpdated'],
    );
    const updates = objects((await uptrail({ DATA_DIR }, 'replay', '--type', 'PageUpdated', 'PageDeleted')).stdout);
    assert.is(updates.length, 1);

    const rebuilt = await uptrail({ DATA_DIR }, 'rebuild', 'pages', 'audit', '--verify');
    assert.is(rebuilt.code, 0, rebuilt.stderr);
    assert.match(rebuilt.stdout, 'pages: generation 2 is in use');
    assert.match(rebuilt.stdout, /audit: \d+ documents compared, all are equal\./);
    assert.is((await callApi(program, ADMIN_API_KEY, 'GET', `/v1/pages/${page}`)).status, 200);

    const listed = objects((await uptrail({ DATA_DIR }, 'projections', '--json')).stdout);
    const pages = listed.find(({ name }) => name === 'pages');
    assert.equal([pages?.['generation'], pages?.['state'], pages?.['log']], [2, 'live', 'main']);
    await program.end('SIGTERM');

    const alone = await uptrail({ DATA_DIR }, 'rebuild', '--all', '--verify');
    assert.is(alone.code, 0, alone.stderr);
    assert.match(alone.stdout, 'pages: generation 3 is in use');
  }),
);

test(
  'the command line permanently removes personal data from the history and from the audit log',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const { body } = await callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Acme' });
    const newest = async () => {
      const audit = await callApi(program, ADMIN_API_KEY, 'GET', '/v1/audit?action=page.created');
      return (audit.body as { audit_logs: { ip_address: string; organization_id: string; created_at: string }[] })
        .audit_logs[0];
    };
    const entry = await newest();
    if (!entry) throw new Error('The audit log has no entry.');
    assert.is(entry.ip_address, '127.0.0.1');
    const unknown = await uptrail({ DATA_DIR }, 'keys', 'forget', 'api_key-nobody000000');
    assert.is(unknown.code, 1);
    assert.match(unknown.stderr, /^The key "api_key-nobody000000" does not exist: nothing was ever sealed with it/);
    const key = `clients-${entry.organization_id}-${entry.created_at.slice(0, 7)}`;
    const forgotten = await uptrail({ DATA_DIR }, 'keys', 'forget', key);
    assert.is(forgotten.code, 0);
    assert.is((await newest())?.ip_address, '[forgotten]');
    const printed = await uptrail({ DATA_DIR }, 'history', 'page', (body as { id: string }).id);
    assert.match(printed.stdout, 'from [forgotten], [forgotten]');
    await program.end('SIGTERM');
  }),
);

test.run();
