import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTargetPolicy, type TargetPolicyName } from '../../../domain/target/policy.ts';
import { systemClock } from '../../../network/clock.ts';
import { createRequestWebhook } from '../../../notifiers/webhook/response.ts';
import { resolveIn } from '../../probes/web/probing.ts';
import { closeServers, httpServer, saying } from '../../probes/web/servers.ts';
import { MESSAGE } from './post-message.ts';

const test = suite('a webhook whose response is read');
test.after.each(closeServers);

const respondWith = (port: number, policyName: TargetPolicyName = 'internal') =>
  createRequestWebhook({
    clock: systemClock,
    resolve: resolveIn({}),
    policyName,
    policy: createTargetPolicy({ policy: policyName }),
  })(MESSAGE, { url: `http://127.0.0.1:${port}/` }, { signal: new AbortController().signal });

test("the body of a webhook's 2xx response is returned", async () => {
  const { port } = await httpServer((_request, response, body) => {
    response.end(`heard ${body}`);
  });
  const { outcome, body } = await respondWith(port);
  assert.is(outcome.status, 'delivered');
  assert.is(body, 'heard {"event":"incident.created","incident":{"name":"The shop is down"}}');
});

test("the body of a webhook's refusal is ignored", async () => {
  const { port } = await saying('HTTP/1.1 404 Not Found\r\nContent-Length: 7\r\n\r\nthe-key');
  const { outcome, body } = await respondWith(port);
  assert.equal([outcome.status, body], ['failed', '']);
});

test("the body of a webhook's response is ignored if it is larger than 64 KiB", async () => {
  const { port } = await httpServer((_request, response) => {
    response.end('x'.repeat(64 * 1024 + 1));
  });
  const { outcome, body } = await respondWith(port);
  assert.equal([outcome.status, body], ['failed', '']);
});

test('a webhook whose response is read is sent only to targets that the policy allows', async () => {
  let requests = 0;
  const { port } = await httpServer((_request, response) => {
    requests++;
    response.end();
  });
  const { outcome } = await respondWith(port, 'public');
  assert.equal([outcome.status, requests], ['failed', 0]);
});

test.run();
