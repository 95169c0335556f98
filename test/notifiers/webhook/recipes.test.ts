import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fields } from '../../../domain/fields.ts';
import { readConfiguration } from '../../../notifiers/channels/configuration.ts';
import type { NotificationMessage } from '../../../notifiers/notifier.ts';
import { webhook as webhookChannel } from '../../../notifiers/webhook/channel.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { webhookIn } from './post-message.ts';
import { inProject } from '../../project.ts';

const test = suite('the recipes of docs/reference/alert-channels.md');
test.after.each(closeServers);

const DOCUMENT = readFileSync(inProject('docs/reference/alert-channels.md'), 'utf8');
const RECIPES = new Map(
  [...DOCUMENT.matchAll(/^### ([^\n]+)\n[^#]*?```json\n(.*?)```/gms)].map(([, name = '', text = '']) => [
    name,
    JSON.parse(text) as { type: string; configuration: { url: string } },
  ]),
);

const TITLE = `The "shop" & <its> \\ back end\nare down 🔥 ${'x'.repeat(1_500)}`;
const messageOf = (event: 'alert.fired' | 'alert.resolved', severity: string): NotificationMessage => ({
  id: 'delivery0001',
  event,
  subject: TITLE,
  text: `${TITLE}\n${'more "text" '.repeat(400)}`,
  data: { alert: { id: 'alert0000001', title: TITLE, severity }, rule: null, check: null },
});

const NAME = `Back "up" & more/${'y'.repeat(220)}`;
const heartbeatMessage = (event: 'heartbeat.down' | 'heartbeat.recovered'): NotificationMessage => ({
  id: 'delivery0002',
  event,
  subject: `[Down] ${NAME} is down`,
  text: `[Down] ${NAME} is down`,
  data: { heartbeat: { name: NAME, status: event === 'heartbeat.down' ? 'down' : 'up' }, organization: null },
});

/** A request that the test double of a service has received. */
interface Asked {
  method: string;
  path: string;
  headers: Fields;
  body: Fields;
}

/**
 * Sends messages according to a recipe to a local test double of the service: for an alert of each severity and for a
 * heartbeat, each followed by its resolution.
 *
 * @param accepts returns the status with which the service would respond, or throws if it would reject the request
 */
const run = async (name: string, accepts: (received: Asked) => number): Promise<Asked[]> => {
  const recipe = RECIPES.get(name);
  if (!recipe) throw new Error(`There is no recipe for ${name}.`);
  const requests: Asked[] = [];
  const refusals: unknown[] = [];
  const { port } = await httpServer(({ method = '', url: path = '', headers }, response, body) => {
    try {
      assert.is(headers['content-type'], 'application/json');
      const got = { method, path, headers, body: JSON.parse(body) as Fields };
      requests.push(got);
      response.writeHead(accepts(got)).end();
    } catch (error) {
      refusals.push(error);
      response.writeHead(400).end();
    }
  });
  const { url } = recipe.configuration;
  const origin = /^https:\/\/[^/{]+/.exec(url)?.[0] ?? '';
  const local = { ...recipe.configuration, url: url.replace(origin, `http://127.0.0.1:${port}`) };
  const read = readConfiguration('webhook', local, null);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const [composed] = webhookChannel.receivers(read.configuration, null);
  const settings = composed?.settings ?? {};
  const webhook = webhookIn({});
  assert.equal(webhook.validate(settings), {});
  const messages = [
    ...['low', 'medium', 'high', 'critical'].flatMap((severity) => [
      messageOf('alert.fired', severity),
      messageOf('alert.resolved', severity),
    ]),
    heartbeatMessage('heartbeat.down'),
    heartbeatMessage('heartbeat.recovered'),
  ];
  for (const message of messages) {
    const sent = await webhook.send(message, settings, { signal: new AbortController().signal });
    const [refusal] = refusals;
    if (refusal) throw refusal as Error;
    assert.is(sent.status, 'delivered');
  }
  assert.is(requests.length, messages.length);
  return requests;
};

const text = (value: unknown, most: number): string => {
  if (typeof value !== 'string' || value === '') throw new Error('A text is missing.');
  assert.ok(value.length <= most, `${value.length} of ${most} characters`);
  // Throws an error if the value contains half of a surrogate pair.
  encodeURIComponent(value);
  return value;
};

test('every recipe of the document is tested', () => {
  assert.equal([...RECIPES.keys()], ['Slack, in words of your own', 'Mattermost', 'Discord', 'PagerDuty', 'Opsgenie']);
});

test('the Slack recipe sends a text message', async () => {
  const [fired, resolved] = await run('Slack, in words of your own', ({ method, path, body }) => {
    assert.is(method, 'POST');
    assert.match(path, /^\/services\/T\w+\/B\w+\/\w+$/);
    text(body['text'], 40_000);
    return 200;
  });
  assert.match(String(fired?.body['text']), /^:red_circle: The "shop"/);
  assert.match(String(resolved?.body['text']), /^:large_green_circle: The "shop"/);
});

test('the Mattermost recipe sends a text message', async () => {
  await run('Mattermost', ({ method, path, body }) => {
    assert.is(method, 'POST');
    assert.match(path, /^\/hooks\/\w+$/);
    text(body['text'], 16_383);
    return 200;
  });
});

test('the Discord recipe sends an embed without mentions that respects the limits of Discord', async () => {
  const [fired] = await run('Discord', ({ method, path, body }) => {
    assert.is(method, 'POST');
    assert.match(path, /^\/api\/webhooks\/\d+\/\w+$/);
    assert.equal(body['allowed_mentions'], { parse: [] });
    const [embed, ...others] = body['embeds'] as Fields[];
    assert.is(others.length, 0);
    text(embed?.['title'], 256);
    text(embed?.['description'], 4_096);
    assert.ok(Number.isInteger(embed?.['color']));
    return 204;
  });
  assert.is((fired?.body['embeds'] as Fields[])[0]?.['color'], 15_158_332);
});

test('the PagerDuty recipe triggers and resolves one incident', async () => {
  const events = await run('PagerDuty', ({ method, path, body }) => {
    assert.equal([method, path], ['POST', '/v2/enqueue']);
    assert.match(String(body['routing_key']), /^[0-9a-f]{32}$/);
    assert.ok(['trigger', 'acknowledge', 'resolve'].includes(String(body['event_action'])));
    text(body['dedup_key'], 255);
    const payload = body['payload'] as Fields;
    text(payload['summary'], 1_024);
    text(payload['source'], 1_024);
    assert.ok(['critical', 'error', 'warning', 'info'].includes(String(payload['severity'])));
    return 202;
  });
  const [fired, resolved] = events.map(({ body }) => body);
  assert.equal([fired?.['event_action'], resolved?.['event_action']], ['trigger', 'resolve']);
  assert.is(fired?.['dedup_key'], resolved?.['dedup_key']);
  assert.is(fired?.['dedup_key'], 'uptrail-alert0000001');
  const [down, recovered] = events.slice(-2).map(({ body }) => body);
  assert.equal([down?.['event_action'], recovered?.['event_action']], ['trigger', 'resolve']);
  assert.match(String(down?.['dedup_key']), /^uptrail-Back "up" & more/);
  assert.is(down?.['dedup_key'], recovered?.['dedup_key']);
});

test('the Opsgenie recipe creates an alert, and closes it by its alias', async () => {
  const alerts = await run('Opsgenie', ({ method, path, headers, body }) => {
    assert.is(method, 'POST');
    assert.match(String(headers['authorization']), /^GenieKey [0-9a-f-]{36}$/);
    if (path === '/v2/alerts') {
      text(body['message'], 130);
      text(body['alias'], 512);
      text(body['description'], 15_000);
      assert.match(String(body['priority']), /^P[1-5]$/);
    } else {
      assert.match(path, /^\/v2\/alerts\/uptrail-[^/]+\/close\?identifierType=alias$/);
      text(body['note'], 25_000);
    }
    return 202;
  });
  const [fired, resolved] = alerts;
  assert.is(fired?.body['alias'], 'uptrail-alert0000001');
  assert.is(fired?.path, '/v2/alerts');
  assert.is(resolved?.path, '/v2/alerts/uptrail-alert0000001/close?identifierType=alias');
  const [down, recovered] = alerts.slice(-2);
  assert.match(String(recovered?.path), encodeURIComponent(String(down?.body['alias'])));
});

test.run();
