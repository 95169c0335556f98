import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { settingsOfRemoteRun } from '../../service/remote-run/settings.ts';
import { uptrail } from '../e2e/program.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { environmentWith, filledIn, type Compose } from './compose.ts';
import { builtFrom, environmentOf, stagesOf } from './dockerfile.ts';
import { inProject, isInstalled, run, testWith } from './project.ts';
import { RUNNER_UNIT, settingOf, settingsOf, UNIT } from './systemd.ts';

const test = suite('the deployment of a remote runner');

const verified = testWith(test, await isInstalled('systemd-analyze'));

const COMPOSE = 'deploy/runner/compose.yaml';
const compose = parse(inProject(COMPOSE)) as Compose;
const unit = settingsOf(RUNNER_UNIT);
const made = { UPTRAIL_SERVER: 'https://uptrail.example.org', UPTRAIL_RUNNER_TOKEN: `upr_${'a'.repeat(43)}` };

verified(
  'the runner’s systemd unit is loadable, and restricts what it could do to the machine',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, basename(RUNNER_UNIT));
    writeFileSync(file, inProject(RUNNER_UNIT).replace('/usr/bin/node', process.execPath));
    const verify = await run('systemd-analyze', ['verify', '--man=no', file]);
    assert.equal([verify.code, verify.output], [0, '']);
    const security = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', '--threshold=20', file]);
    assert.is(security.code, 0, security.output);
  }),
);

test('the runner’s systemd unit has the same restrictions as the service’s unit', () => {
  const service = settingsOf(UNIT);
  const differing = [...new Set([...service.keys(), ...unit.keys()])].filter(
    (name) => JSON.stringify(service.get(name)) !== JSON.stringify(unit.get(name)),
  );
  assert.equal(differing.sort(), [
    ...['Description', 'Documentation', 'Environment', 'EnvironmentFile', 'ExecStart', 'LoadCredential', 'RestartSec'],
    ...['StateDirectory', 'TimeoutStopSec', 'WorkingDirectory'],
  ]);
});

test('the runner’s systemd unit passes the token in a file that only the runner can read', () => {
  assert.match(settingOf(unit, 'ExecStart'), 'cli/uptrail.cjs run --server ${UPTRAIL_SERVER} --token-file %d/token');
  assert.is(settingOf(unit, 'LoadCredential'), 'token:/etc/uptrail/runner-token');
});

test('the runner’s compose file conforms to the schema and to the rules of dclint', async () => {
  const { code, output } = await run('node_modules/.bin/dclint', ['--max-warnings', '0', COMPOSE]);
  assert.is(code, 0, output);
});

test('the runner’s compose file has everything that a runner needs, and takes the token only from the file .env', () => {
  const { runner = {} } = compose.services;
  const image = environmentOf(builtFrom(stagesOf(inProject('Dockerfile'))));
  const environment = { ...image, ...environmentWith(runner, made) };
  const [command, option, server = ''] = (runner.command ?? []).map((word) => filledIn(word, made));
  assert.equal([command, option], ['run', '--server']);
  const settings = settingsOfRemoteRun({ server }, environment);
  assert.is(settings.server.href, 'https://uptrail.example.org/');
  assert.is(settings.token, made.UPTRAIL_RUNNER_TOKEN);
  assert.is(settings.proxy, null);
  assert.is(settings.spool, '/data/runner-spool');
  // The health check of the image connects to this server.
  assert.ok(settings.servesHealth);
  assert.throws(() => environmentWith(runner, {}), /is not set/);
  assert.equal([runner.read_only, runner.cap_drop, runner.ports], [true, ['ALL'], undefined]);
  assert.equal(Object.keys(compose.volumes), ['unsent']);
});

test('the program accepts the command of the runner’s unit and of its compose file', async () => {
  const { code, stderr } = await uptrail({}, 'run', '--server', 'http://uptrail.example.org');
  assert.is(code, 1);
  assert.match(stderr, '--server must begin with https://');
});

test.run();
