import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownServersOf } from '../../service/config/own-servers.ts';
import { readVariables } from '../../service/config/config.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { abilityHere } from '../../runners/tools.ts';
import { closeServers, rawServer } from '../runners/web/servers.ts';
import { execute, outcomeOf } from './polling.ts';
import { endPrograms, placeOf, serve, uptrail } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** seconds */
const SOON = 60;

const test = suite('servers that the service itself uses');
test.after.each(endPrograms);
test.after.each(closeServers);

/** A definition of each type that would connect to a port of this machine. */
const definitionsOf = (port: number): Record<string, object> => {
  const [host, url] = ['127.0.0.1', `http://localhost:${port.toString()}/`];
  return {
    web: { url },
    api: { url },
    tcp: { host, port },
    ssl: { host, port },
    dns: { host: 'example.com', parameters: { dns_servers: [`${host}:${port.toString()}`] } },
    portscan: { host, parameters: { ports: port.toString(), scan_type: 'connect' } },
  };
};

const SENTENCE = /:\d+ \(reserved for this service\)/;

test(
  'are not connected to by checks of any type, whatever the policy allows, nor by the command line',
  inTemporaryFolder(async (DATA_DIR) => {
    let connections = 0;
    const relay = await rawServer((socket) => {
      connections += 1;
      socket.end();
    });
    const SMTP_URL = `smtp://127.0.0.1:${relay.port.toString()}`;
    const environment = await placeOf({ DATA_DIR, ADMIN_API_KEY, SMTP_URL, TARGET_ALLOW: '0.0.0.0/0,::/0' });
    const program = await serve(environment);
    const run = async (type: string, definition: object): Promise<string> => {
      const body = { name: type, type, timeout: 10, ...definition };
      const job = await execute(program, ADMIN_API_KEY, '/v1/checks/execute', body);
      const { status, result } = await outcomeOf(program, ADMIN_API_KEY, job, SOON);
      assert.equal([status, result?.status], ['completed', 'failed'], `${type}: ${JSON.stringify(result)}`);
      return result?.error_message ?? '';
    };
    const { types } = await abilityHere(['web', 'api', 'tcp', 'ssl', 'dns', 'portscan']);
    for (const type of types) assert.match(await run(type, definitionsOf(relay.port)[type] ?? {}), SENTENCE, type);
    const own = ownServersOf(readVariables(environment, ['eventStoreDbUrl', 'mongoDbUrl', 'smtpUrl', 'mailFrom']));
    for (const { host, port } of own) assert.match(await run('tcp', { host, port }), SENTENCE, host);

    const { stdout, code } = await uptrail(environment, 'probe', 'tcp', `127.0.0.1:${relay.port.toString()}`);
    assert.is(code, 1);
    assert.match(stdout, SENTENCE);
    assert.is(connections, 0);
  }),
);

test(
  'are told apart from the service, which may watch itself',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const body = { name: 'Itself', type: 'web', url: `${program.address}/health/live` };
    const job = await execute(program, ADMIN_API_KEY, '/v1/checks/execute', body);
    const { result } = await outcomeOf(program, ADMIN_API_KEY, job, SOON);
    assert.is(result?.status, 'ok', JSON.stringify(result));
  }),
);

test.run();
