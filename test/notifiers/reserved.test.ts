import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CurrentReservedTargets } from '../../network/policy.ts';
import { readConfig } from '../../service/config/config.ts';
import { createWebhookChallenge, createConfiguredNotifiers } from '../../service/notifiers.ts';
import { NOTHING_RESERVED } from '../network/nothing-reserved.ts';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { messageOf } from './bots.ts';

const notifying = suite('notifiers and the servers of the service itself');

notifying.after.each(closeServers);

/** Starts a server that belongs to the service, and returns the configuration of notifiers that would send to it. */
const stage = async () => {
  let asked = 0;
  const server = await httpServer((_, response) => {
    asked += 1;
    response.end('{"ok":true}');
  });
  const url = `http://localhost:${server.port}`;
  const config = readConfig({
    TELEGRAM_API_URL: url,
    MAX_API_URL: url,
    SMS_GATEWAY_URL: `${url}/?to={to}&text={text}`,
    SMS_GATEWAY_METHOD: 'GET',
  });
  const byKind = (kind: 'reserved' | 'listeners' | null): CurrentReservedTargets => ({
    now: () => ({ ...NOTHING_RESERVED, ...(kind && { [kind]: [{ address: '127.0.0.1', port: server.port }] }) }),
    onChange: () => undefined,
  });
  return { port: server.port, url, config, byKind, asked: () => asked };
};

const SETTINGS: Record<string, (url: string) => Record<string, string | null>> = {
  webhook: (url) => ({ url }),
  sms: () => ({ number: '+4915112345678' }),
  telegram: () => ({ bot_token: '1:abc', chat_id: '1' }),
  max: () => ({ bot_token: 'abc', chat_id: '1' }),
  slack: (url) => ({ webhook_url: `${url}/services/t0ken` }),
  ntfy: (url) => ({ server_url: url, topic: 'alerts', token: null }),
};

const send = { signal: new AbortController().signal };
const noMac = () => Promise.resolve('');

for (const [name, settingsOf] of Object.entries(SETTINGS))
  notifying(`the notifier ${name} sends nothing to a reserved server`, async () => {
    const { config, byKind, url, asked } = await stage();
    for (const kind of ['reserved', 'listeners'] as const) {
      const notifier = createConfiguredNotifiers(config, byKind(kind), noMac).get(name);
      // Validation accepts the settings, because a host name does not reveal its address.
      assert.equal(notifier?.validate(settingsOf(url)), {});
      const sent = await notifier?.send(messageOf('Hello'), settingsOf(url), send);
      // The operator has configured the SMS gateway, so a refused address makes the gateway unavailable and does not
      // fail the message.
      assert.is(sent?.status, name === 'sms' ? 'unavailable' : 'failed');
      assert.is(sent?.status !== 'delivered' && sent?.reason, 'target');
    }
    assert.is(asked(), 0);
    await createConfiguredNotifiers(config, byKind(null), noMac)
      .get(name)
      ?.send(messageOf('Hello'), settingsOf(url), send);
    assert.is(asked(), 1);
  });

notifying(
  'no webhook challenge is sent to a reserved server, and the settings of a webhook refuse the server’s address',
  async () => {
    const { config, byKind, url, port, asked } = await stage();
    const reserved = byKind('reserved');
    const { outcome } = await createWebhookChallenge(config, reserved)(messageOf('Hello'), { url }, send);
    assert.is(outcome.status === 'failed' && outcome.reason, 'target');
    assert.is(asked(), 0);
    const validate = createConfiguredNotifiers(config, reserved, noMac).get('webhook')?.validate;
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433']) {
      const [sentence] = validate?.({ url: `http://${host}:${port}/` })['url'] ?? [];
      assert.match(sentence ?? '', /does not allow .* \(reserved for this service\)/);
    }
    // Other ports of the same machine are still allowed.
    assert.equal(validate?.({ url: `http://127.0.0.1:${port === 8_080 ? '8081' : '8080'}/` }), {});
  },
);

notifying.run();
