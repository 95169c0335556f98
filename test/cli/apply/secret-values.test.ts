import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyPlan } from '../../../cli/apply/execute.ts';
import { planConfiguration } from '../../../cli/apply/plan.ts';
import { showPlan } from '../../../cli/apply/show.ts';
import type { Configuration } from '../../../cli/configuration/model.ts';
import { collectLines } from '../../service/lines.ts';
import { fakeService, storedAs } from './fake-service.ts';
import { check, linesOf } from './plans.ts';

const test = suite('secret values in plans');

test('a plan never shows secret values', async () => {
  const { client } = fakeService({
    '/v1/secrets': [storedAs('1', { secret_name: 'TOKEN', secret_value: 'old-s3cret' })],
    '/v1/checks': [
      check('2', 'A', {
        type: 'web',
        host: null,
        url: 'https://old-s3cret.example/',
        parameters: { http_request: { password: 'old-s3cret' } },
      }),
    ],
  });
  const url = 'https://new-s3cret.example/';
  const plan = await planConfiguration(
    client,
    {
      secrets: [{ name: 'TOKEN', value: 'new-s3cret' }],
      checks: [{ name: 'A', type: 'web', url, interval: 60, parameters: { http_request: { password: 'new-s3cret' } } }],
      channels: [{ name: 'Hook', type: 'webhook', configuration: { url: 'https://hooks.example/s3cret' } }],
    },
    { secretTexts: new Set([url]) },
  );
  const text = await linesOf(plan);
  assert.not.match(text, 's3cret');
  assert.match(text, 'parameters.http_request.password: (secret) → (secret)');
});

test('a plan never shows secret values of objects that are removed, at any depth', async () => {
  const headers = { Authorization: 'Bearer old-s3cret', Accept: 'text/html' };
  const hook = { name: 'Hook', type: 'webhook', enabled: true };
  const { client } = fakeService({
    '/v1/checks': ['A', 'B', 'C', 'D'].map((name, n) =>
      check(String(n + 1), name, {
        type: 'web',
        host: null,
        url: 'https://a.example/',
        parameters: { http_request: { password: 'old-s3cret', headers } },
      }),
    ),
    '/v1/alerts/channels': [
      storedAs('5', {
        ...hook,
        configuration: { url: 'https://hooks.example/', method: 'POST', headers, body_template: null, secret: null },
      }),
    ],
  });
  const web = { type: 'web', url: 'https://a.example/', interval: 60 };
  const plan = await planConfiguration(client, {
    checks: [
      { name: 'A', ...web },
      { name: 'B', ...web, parameters: {} },
      { name: 'C', ...web, parameters: { http_request: {} } },
      { name: 'D', ...web, parameters: { http_request: { headers: {} } } },
    ],
    channels: [{ ...hook, configuration: { url: 'https://hooks.example/' } }],
  });
  const json = collectLines();
  await showPlan(plan, { json: true }, json);
  const text = await linesOf(plan);
  assert.not.match(text + json.lines.join('\n'), 's3cret');
  const removed = [
    'parameters.http_request.password: (secret) → null',
    'parameters.http_request.headers.Authorization: (secret) → null',
    'parameters.http_request.headers.Accept: "text/html" → null',
  ].map((line) => `    ${line}\n`);
  for (const name of ['A', 'B', 'C', 'D']) assert.match(text, `~ check "${name}"\n${removed.join('')}`);
  assert.match(text, 'configuration.headers.Authorization: (secret) → null');
});

test('a new value of a secret is written at the revision that the plan saw', async () => {
  const { client, sent } = fakeService({
    '/v1/secrets': [storedAs('1', { secret_name: 'TOKEN', secret_value: 'old' })],
  });
  await applyPlan(client, await planConfiguration(client, { secrets: [{ name: 'TOKEN', value: 'new' }] }));
  assert.equal(sent, [{ method: 'PUT', path: '/v1/secrets/1', body: { secret_value: 'new' }, revision: 7 }]);
});

test('a value that the service never returns counts as equal, unless it is to be written', async () => {
  const telegram = { name: 'Chat', type: 'telegram', enabled: true };
  const { client } = fakeService({
    '/v1/alerts/channels': [storedAs('1', { ...telegram, configuration: { bot_token: '********', chat_id: '5' } })],
  });
  const configuration = { channels: [{ ...telegram, configuration: { bot_token: '123:abc', chat_id: 5 } }] };
  const plan = await planConfiguration(client, configuration);
  assert.equal([plan.steps.length, plan.uncompared], [0, 1]);
  // Another setting of the channel is written together with the value.
  const moved = { channels: [{ ...telegram, configuration: { bot_token: '123:abc', chat_id: 6 } }] };
  const { steps, uncompared } = await planConfiguration(client, moved);
  assert.equal([steps[0]?.fields, uncompared], [{ configuration: { bot_token: '123:abc', chat_id: '6' } }, 0]);
  const written = await planConfiguration(client, configuration, { writeSecrets: true });
  assert.equal(
    written.steps.map(({ fields }) => fields),
    [{ configuration: { bot_token: '123:abc', chat_id: '5' } }],
  );
});

test('`${kept}` leaves a stored value unchanged, and a plan requests a value by name if none is stored', async () => {
  const configuration: Configuration = {
    secrets: [{ name: 'TOKEN', value: '${kept}' }],
    channels: [{ name: 'Slack', type: 'slack', configuration: { webhook_url: '${kept}' } }],
  };
  const stored = fakeService({
    '/v1/secrets': [storedAs('1', { secret_name: 'TOKEN' })],
    '/v1/alerts/channels': [
      storedAs('2', {
        name: 'Slack',
        type: 'slack',
        enabled: true,
        configuration: { webhook_url: 'https://hooks.slack.com/***' },
      }),
    ],
  });
  const unchanged = await planConfiguration(stored.client, configuration);
  assert.equal([unchanged.steps, unchanged.needed, unchanged.uncompared], [[], [], 0]);
  const { client, sent } = fakeService();
  const { needed } = await planConfiguration(client, configuration);
  assert.equal(needed, ['secrets/TOKEN/value', 'channels/Slack/configuration.webhook_url']);
  const values = {
    'secrets/TOKEN/value': 't',
    'channels/Slack/configuration.webhook_url': 'https://hooks.slack.com/services/T/B/x',
  };
  await applyPlan(client, await planConfiguration(client, configuration, { values }));
  assert.equal(sent[0]?.body, { secret_name: 'TOKEN', secret_value: 't' });
});

test.run();
