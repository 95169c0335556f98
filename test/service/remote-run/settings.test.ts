import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OperatorError } from '../../../service/operator-error.ts';
import { settingsOfRemoteRun, type RemoteRunOptions } from '../../../service/remote-run/settings.ts';
import { inTemporaryFolder } from '../temporary.ts';

const test = suite('the settings of a remote runner');

const TOKEN = `upr_${'a'.repeat(43)}`;
const SERVER = 'https://uptrail.example.org';

const settings = (options: Partial<RemoteRunOptions> = {}, environment: Record<string, string> = {}) =>
  settingsOfRemoteRun({ server: SERVER, ...options }, { UPTRAIL_RUNNER_TOKEN: TOKEN, ...environment });

const refused = (sentence: string, ...given: Parameters<typeof settings>): void => {
  try {
    settings(...given);
  } catch (error) {
    assert.instance(error, OperatorError);
    assert.match((error as Error).message, sentence);
    return;
  }
  assert.unreachable(`expected: ${sentence}`);
};

test('the settings of a remote runner require the URL of a service and a token, but not the stores of a cluster', () => {
  const { server, token, region, trust, proxy, isTokenVisible, servesHealth, config } = settings();
  assert.is(server.href, `${SERVER}/`);
  assert.equal([token, region, trust, proxy], [TOKEN, null, [], null]);
  assert.equal([isTokenVisible, servesHealth], [false, false]);
  assert.equal([config.runnerOfflineMinutes, config.runnerSpoolMb, config.runnerConcurrency], [30, 64, 200]);
});

test('invalid variables that a remote runner does not use are ignored in its settings', () => {
  assert.is(settings({}, { EVENTSTOREDB_URL: 'nonsense', SMTP_URL: 'nonsense' }).token, TOKEN);
});

test("the URL of a remote runner's service must use https, except on this machine", () => {
  for (const server of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://[::2]/path'])
    assert.is(settings({ server }).server.origin, new URL(server).origin);
  for (const server of [
    'http://uptrail.example.org',
    'http://127.0.0.1.example.org',
    'http://10.0.0.1',
    'http://[::2]',
  ])
    refused('With http://, the token and the secrets of checks could be read', { server });
  for (const server of ['uptrail.example.org', 'ftp://x', '', 'wss://x']) refused('must be a URL', { server });
  refused('must not have a user', { server: 'https://user:password@uptrail.example.org' });
});

test(
  'the token of a remote runner is read from an option, a file or the environment, and error messages do not contain it',
  inTemporaryFolder(async (folder) => {
    const other = `upr_${'b'.repeat(43)}`;
    const file = join(folder, 'token');
    writeFileSync(file, `${other}\n`);
    assert.is(settings({ token: other }).token, other);
    assert.ok(settings({ token: other }).isTokenVisible);
    assert.is(settings({ tokenFile: file }).token, other);
    assert.not(settings({ tokenFile: file }).isTokenVisible);
    refused('either --token or --token-file', { token: other, tokenFile: file });
    refused('A token is required', {}, { UPTRAIL_RUNNER_TOKEN: '' });
    refused('must name a readable file (ENOENT)', { tokenFile: join(folder, 'none') });
    writeFileSync(file, 'upt_something else');
    for (const given of [{ token: 'upt_something else' }, { tokenFile: file }])
      try {
        settings(given);
        assert.unreachable();
      } catch (error) {
        assert.match((error as Error).message, 'must be a runner token');
        assert.not.match((error as Error).message, 'something else');
      }
  }),
);

test('the settings of a remote runner accept only existing regions and check types', () => {
  assert.is(settings({ region: ['eu-west1'] }).region, 'eu-west1');
  assert.is(settings({ region: ['private-abcdefghij01'] }).region, 'private-abcdefghij01');
  refused('The region "moon" does not exist.', { region: ['moon'] });
  refused('A remote runner serves only one region', { region: ['eu-west1', 'in-mum1'] });
  assert.equal(settings({ type: ['web'] }).types, ['web']);
  refused('cannot run checks of type "sing"', { type: ['sing'] });
});

test('a remote runner uses the proxy of the environment, unless NO_PROXY contains the service', () => {
  const HTTPS_PROXY = 'http://proxy.example.org:3128';
  const proxy = (environment: Record<string, string>, server = SERVER) => settings({ server }, environment).proxy?.host;
  assert.is(proxy({ HTTPS_PROXY }), 'proxy.example.org:3128');
  assert.is(proxy({ https_proxy: 'http://other:1', HTTPS_PROXY }), 'other:1');
  assert.is(proxy({ HTTPS_PROXY }, 'http://localhost:3000'), undefined);
  for (const NO_PROXY of ['*', 'example.org', '.example.org', 'localhost, uptrail.example.org:443'])
    assert.is(proxy({ HTTPS_PROXY, NO_PROXY }), undefined, NO_PROXY);
  for (const NO_PROXY of ['', 'ample.org', 'uptrail.example.org:8443', 'example.com'])
    assert.is(proxy({ HTTPS_PROXY, NO_PROXY }), 'proxy.example.org:3128', NO_PROXY);
  refused('HTTPS_PROXY must be a URL', {}, { HTTPS_PROXY: 'proxy.example.org' });
});

test('the settings of a remote runner are rejected if a file of certificates is unreadable', () => {
  refused('--ca-file must be a readable file (ENOENT)', { caFile: '/nowhere' });
});

test.run();
