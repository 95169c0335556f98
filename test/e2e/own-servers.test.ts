import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownServersOf } from '../../service/config/own-servers.ts';
import { readVariables } from '../../service/config/config.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { findAvailableTypes } from '../../probes/tools.ts';
import { freePort } from '../servers/ports.ts';
import { closeServers, httpServer, rawServer } from '../probes/web/servers.ts';
import { requestRun, waitForOutcome } from './polling.ts';
import { callApi, endPrograms, storageEnvironment, serve, uptrail } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Time limit for the outcome of a run, in seconds. */
const SOON = 60;

const test = suite('the servers that the service itself uses');
test.after.each(endPrograms);
test.after.each(closeServers);

/** Returns a definition of each check type that would connect to a port of this machine. */
const definitionsOf = (port: number): Record<string, object> => {
  const [host, url] = ['127.0.0.1', `http://localhost:${port}/`];
  return {
    web: { url },
    api: { url },
    tcp: { host, port },
    ssl: { host, port },
    dns: { host: 'example.com', parameters: { dns_servers: [`${host}:${port}`] } },
    portscan: { host, parameters: { ports: port.toString(), scan_type: 'connect' } },
  };
};

const SENTENCE = /:\d+ \(reserved for this service\)/;

test(
  'neither a check of any type nor the command line connects to the servers of the service, whatever the policy allows',
  inTemporaryFolder(async (DATA_DIR) => {
    let connections = 0;
    const relay = await rawServer((socket) => {
      connections += 1;
      socket.end();
    });
    const SMTP_URL = `smtp://127.0.0.1:${relay.port}`;
    const environment = await storageEnvironment({ DATA_DIR, ADMIN_API_KEY, SMTP_URL, TARGET_ALLOW: '0.0.0.0/0,::/0' });
    const program = await serve(environment);
    const run = async (type: string, definition: object): Promise<string> => {
      const body = { name: type, type, timeout: 10, ...definition };
      const job = await requestRun(program, ADMIN_API_KEY, '/v1/checks/execute', body);
      const { status, result } = await waitForOutcome(program, ADMIN_API_KEY, job, SOON);
      assert.equal([status, result?.status], ['completed', 'failed'], `${type}: ${JSON.stringify(result)}`);
      return result?.error_message ?? '';
    };
    const { types } = await findAvailableTypes(['web', 'api', 'tcp', 'ssl', 'dns', 'portscan']);
    for (const type of types) assert.match(await run(type, definitionsOf(relay.port)[type] ?? {}), SENTENCE, type);
    const own = ownServersOf(
      readVariables(environment, ['eventStoreDbUrl', 'mongoDbUrl', 'smtpUrl', 'mailFrom', 'otlpEndpoint']),
    );
    for (const { host, port } of own) assert.match(await run('tcp', { host, port }), SENTENCE, host);

    const { stdout, code } = await uptrail(environment, 'probe', 'tcp', `127.0.0.1:${relay.port}`);
    assert.is(code, 1);
    assert.match(stdout, SENTENCE);
    assert.is(connections, 0);
  }),
);

test(
  'checks may request the health endpoint of the service itself, but nothing else',
  inTemporaryFolder(async (DATA_DIR) => {
    const METRICS_PORT = (await freePort()).toString();
    const program = await serve({ DATA_DIR, ADMIN_API_KEY, METRICS_PORT, TRUST_PROXY: '127.0.0.1,::1' });
    const { port } = new URL(program.address);
    const run = async (definition: object) => {
      const body = { name: 'Itself', type: 'api', timeout: 10, ...definition };
      const job = await requestRun(program, ADMIN_API_KEY, '/v1/checks/execute', body);
      return (await waitForOutcome(program, ADMIN_API_KEY, job, SOON)).result;
    };
    const health = await run({ type: 'web', url: `${program.address}/health/live` });
    assert.is(health?.status, 'ok', JSON.stringify(health));
    // With this header, the request would seem to come from an address that the check chooses.
    const headers = { Authorization: ADMIN_API_KEY, 'X-Forwarded-For': '192.0.2.7' };
    for (const definition of [
      { url: `${program.address}/v1/pages`, parameters: { http_request: { headers } } },
      { url: `http://localhost:${port}/health/live`, parameters: { http_request: { headers } } },
      { type: 'web', url: `http://127.0.0.1:${METRICS_PORT}/metrics` },
      { type: 'tcp', host: '127.0.0.1', port: Number(port) },
    ])
      assert.match((await run(definition))?.error_message ?? '', SENTENCE, JSON.stringify(definition));
    const audit = await callApi(program, ADMIN_API_KEY, 'GET', '/v1/audit');
    assert.not.match(JSON.stringify(audit.body), '192.0.2.7');
  }),
);

test(
  'no webhook is sent to the servers of the service or to the service itself',
  inTemporaryFolder(async (DATA_DIR) => {
    let connections = 0;
    const relay = await rawServer((socket) => {
      connections += 1;
      socket.end();
    });
    let posted = 0;
    const receiver = await httpServer((_, response) => {
      posted += 1;
      response.end();
    });
    const METRICS_PORT = (await freePort()).toString();
    const SMTP_URL = `smtp://127.0.0.1:${relay.port}`;
    const program = await serve(await storageEnvironment({ DATA_DIR, ADMIN_API_KEY, SMTP_URL, METRICS_PORT }));
    const page = await callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Acme' });
    const subscribers = `${program.address}/v1/pages/${(page.body as { id: string }).id}/subscribers`;
    const subscribe = async (endpoint: string) =>
      fetch(subscribers, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ mode: 'webhook', endpoint }),
      });
    const test = async (url: string) => {
      const configuration = { url, method: 'PUT', headers: { 'X-Mine': 'yes' } };
      const body = { type: 'webhook', configuration };
      return (await callApi(program, ADMIN_API_KEY, 'POST', '/v1/alerts/channels/test', body)).body as {
        success: boolean;
        error_message: string | null;
      };
    };
    for (const port of [relay.port.toString(), new URL(program.address).port, METRICS_PORT]) {
      const refused = await subscribe(`http://127.0.0.1:${port}/hook`);
      assert.is(refused.status, 422, port);
      assert.match(await refused.text(), 'reserved for this service');
      const { success, error_message } = await test(`http://localhost:${port}/hook`);
      assert.is(success, false, port);
      assert.match(error_message ?? '', 'The policy does not allow the address of the webhook');
    }
    assert.is(connections, 0);
    assert.is((await test(`http://127.0.0.1:${receiver.port}/hook`)).success, true);
    assert.is(posted, 1);
  }),
);

test.run();
