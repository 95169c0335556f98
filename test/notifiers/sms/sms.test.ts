import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTargetPolicy } from '../../../domain/target/policy.ts';
import { createSms } from '../../../notifiers/sms/index.ts';
import type { NotificationMessage, Notifier, SendOutcome } from '../../../notifiers/notifier.ts';
import { ConfigurationError, readConfig } from '../../../service/config/config.ts';
import { smsGatewayOf } from '../../../service/config/sms-gateway.ts';
import { createConfiguredNotifiers, smsPart } from '../../../service/notifiers.ts';
import { systemClock } from '../../../network/clock.ts';
import { systemResolve } from '../../../network/resolve.ts';
import { NEVER_RESERVED } from '../../network/nothing-reserved.ts';
import { closeServers, httpServer, saying } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';

const test = suite('SMS');
test.after.each(closeServers);

const MESSAGE: NotificationMessage = {
  id: 'delivery0001',
  event: 'incident.created',
  subject: '',
  text: 'Acme: "Login" & <more>\nÄ 100% \\o/',
  data: {},
};
const NUMBER = '+491711234567';

const notifier = (environment: Record<string, string>): Notifier => {
  const gateway = smsGatewayOf(readConfig(environment));
  if (!gateway) throw new Error('There is no gateway.');
  return createSms({
    gateway,
    clock: systemClock,
    resolve: systemResolve,
    policy: createTargetPolicy({ policy: 'internal' }),
  });
};
const send = (environment: Record<string, string>, settings: object = { number: NUMBER }): Promise<SendOutcome> =>
  notifier(environment).send(MESSAGE, { ...settings }, { signal: new AbortController().signal });

interface Seen {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  body: string;
}
/** Sends an SMS. @returns the request that the gateway receives */
const received = async (path: string, environment: Record<string, string> = {}, user = ''): Promise<Seen> => {
  const seen: Seen[] = [];
  const { port } = await httpServer(({ method = '', url = '', headers }, response, body) => {
    seen.push({ method, url, headers, body });
    response.writeHead(202).end('{"queued":true}');
  });
  const SMS_GATEWAY_URL = `http://${user}127.0.0.1:${port}${path}`;
  assert.equal(await send({ ...environment, SMS_GATEWAY_URL }), { status: 'delivered', response_code: 202 });
  const [one] = seen;
  if (!one) throw new Error('Nothing was received.');
  return one;
};

test('SMS are posted to the gateway as JSON by default', async () => {
  const { method, url, headers, body } = await received('/messages');
  assert.equal([method, url, headers['content-type']], ['POST', '/messages', 'application/json']);
  assert.equal(JSON.parse(body), { to: NUMBER, text: MESSAGE.text, id: MESSAGE.id });
});

test('values in the request to an SMS gateway are escaped for their context', async () => {
  const form = await received('/', {
    SMS_GATEWAY_HEADERS: '{"Content-Type":"application/x-www-form-urlencoded"}',
    SMS_GATEWAY_BODY: 'to={to}&text={text}&reference={id}',
  });
  const fields = new URLSearchParams(form.body);
  assert.equal(
    [...fields],
    [
      ['to', NUMBER],
      ['text', MESSAGE.text],
      ['reference', MESSAGE.id],
    ],
  );
  const query = await received('/{id}?to={to}&text={text}', { SMS_GATEWAY_METHOD: 'GET' });
  const { pathname, searchParams } = new URL(query.url, 'http://gateway');
  assert.equal([query.method, query.body, pathname], ['GET', '', `/${MESSAGE.id}`]);
  assert.equal([searchParams.get('to'), searchParams.get('text')], [NUMBER, MESSAGE.text]);
  const xml = await received('/', {
    SMS_GATEWAY_HEADERS: '{"Content-Type":"text/xml; charset=utf-8"}',
    SMS_GATEWAY_BODY: '<sms to="{to}">{text}</sms>',
  });
  assert.is(xml.body, `<sms to="${NUMBER}">Acme: &quot;Login&quot; &amp; &lt;more&gt;\nÄ 100% \\o/</sms>`);
});

test("SMS requests carry the gateway's credentials in headers", async () => {
  const bearer = await received('/', { SMS_GATEWAY_HEADERS: '{"Authorization":"Bearer s3cret"}' });
  assert.is(bearer.headers['authorization'], 'Bearer s3cret');
  const basic = await received('/', {}, 'jane:p%40ss@');
  assert.is(basic.headers['authorization'], `Basic ${Buffer.from('jane:p@ss').toString('base64')}`);
});

/** Sends an SMS through a gateway with this response. @returns the outcome */
const answered = async (head: string): Promise<string> => {
  const { port } = await saying(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`);
  const sent = await send({
    SMS_GATEWAY_URL: `http://jane:s3cret@127.0.0.1:${port}/?key=t0ken`,
    SMS_GATEWAY_HEADERS: '{"X-Key":"k3y"}',
  });
  assert.not.match(JSON.stringify(sent), /s3cret|t0ken|k3y|1711234567|127\.0\.0\.1/);
  if (sent.status === 'delivered') return 'delivered';
  return sent.status === 'failed' ? `failed ${sent.permanent ? 'for good' : 'for now'}` : 'gateway';
};

test('an SMS fails permanently if the gateway refuses it, and after other failures the gateway is unavailable', async () => {
  assert.is(await answered('204 No Content'), 'delivered');
  for (const status of [400, 409, 410, 413, 422]) {
    assert.is(await answered(`${status} No`), 'failed for good', status.toString());
  }
  for (const status of [302, 401, 402, 403, 404, 408, 429, 500, 503]) {
    assert.is(await answered(`${status} No`), 'gateway', status.toString());
  }
  const { port } = await saying('HTTP/1.1 429 Slow down\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n');
  const limited = await send({ SMS_GATEWAY_URL: `http://127.0.0.1:${port}/` });
  assert.ok(limited.status === 'unavailable' && limited.notBefore !== null);
  const closed = await send({ SMS_GATEWAY_URL: `http://127.0.0.1:${await freePort()}/` });
  assert.ok(closed.status === 'unavailable');
  assert.is(closed.error_message, 'Connecting failed to the SMS gateway (ECONNREFUSED).');
});

test('an SMS is sent only to a valid phone number', async () => {
  const SMS_GATEWAY_URL = 'http://127.0.0.1:9/';
  for (const number of ['', '0171', '+0171', '+49 171', null, undefined, 491711234567]) {
    const sent = await send({ SMS_GATEWAY_URL }, { number });
    assert.ok(sent.status === 'failed' && sent.permanent, String(number));
    assert.equal(Object.keys(notifier({ SMS_GATEWAY_URL }).validate({ number })), ['number']);
  }
  assert.equal(notifier({ SMS_GATEWAY_URL }).validate({ number: NUMBER }), {});
});

test('an SMS is deferred if there is no gateway, and the health of the service reports that', async () => {
  const config = readConfig({});
  const sms = createConfiguredNotifiers(config, NEVER_RESERVED, () => Promise.resolve('')).get('sms');
  const sent = await sms?.send(MESSAGE, { number: NUMBER }, { signal: new AbortController().signal });
  assert.equal([sent?.status, sent?.status === 'unavailable' && sent.reason], ['unavailable', 'not_configured']);
  const off = { name: 'SMS', ready: true, state: 'off', lag_seconds: null };
  assert.equal(smsPart(config), { ...off, message: 'SMS is off: set SMS_GATEWAY_URL.' });
  const on = readConfig({ SMS_GATEWAY_URL: 'https://sms.example.org/' });
  assert.equal(smsPart(on), { ...off, state: 'on', message: null });
});

test('an error about the configuration of the SMS gateway names the variable, but not its value', () => {
  const SMS_GATEWAY_URL = 'https://sms.example.org/s3cret';
  for (const [environment, sentence] of [
    [{ SMS_GATEWAY_URL: 'ftp://s3cret@x' }, /^SMS_GATEWAY_URL must be a URL/],
    [{ SMS_GATEWAY_URL: 'https://{to}.example.org' }, /^SMS_GATEWAY_URL must not have a place/],
    [{ SMS_GATEWAY_URL, SMS_GATEWAY_METHOD: 'DELETE' }, /^SMS_GATEWAY_METHOD /],
    [{ SMS_GATEWAY_URL, SMS_GATEWAY_METHOD: 'GET' }, /^SMS_GATEWAY_URL must contain the placeholder \{to\}/],
    [{ SMS_GATEWAY_URL, SMS_GATEWAY_HEADERS: 'Key: s3cret' }, /^SMS_GATEWAY_HEADERS must be a JSON object/],
    [{ SMS_GATEWAY_URL, SMS_GATEWAY_HEADERS: '{"Host":"s3cret"}' }, /^SMS_GATEWAY_HEADERS must not contain .*"Host"/],
    [{ SMS_GATEWAY_URL, SMS_GATEWAY_HEADERS: '{"A":"s3cret\\n"}' }, /^SMS_GATEWAY_HEADERS must have .* for A/],
    [{ SMS_GATEWAY_URL, SMS_GATEWAY_BODY: '{"to":"{to}"}' }, /^SMS_GATEWAY_BODY must contain the placeholder \{text\}/],
    [{ SMS_GATEWAY_URL, SMS_GATEWAY_BODY: '{"to":{to},"t":"{text}"}' }, /^SMS_GATEWAY_BODY must be JSON/],
  ] as [Record<string, string>, RegExp][]) {
    try {
      readConfig(environment);
      assert.unreachable(sentence.source);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      assert.match(error.message, sentence);
      assert.not.match(error.message, 's3cret');
    }
  }
});

test.run();
