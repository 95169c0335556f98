import { simpleParser } from 'mailparser';
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { instantOf } from '../../../domain/time.ts';
import { lacking, openMailbox, type Mailbox } from '../../notifiers/email/mailbox.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { skippedWithoutCluster, startClusterServers, type ClusterServers } from '../cluster-servers.ts';
import { openLeases, type Leases } from '../leases.ts';
import { createMaintenance } from '../maintenances.ts';
import { callApi, endPrograms, startOne, type RunningProgram } from '../program.ts';
import { waitUntilNotifying, waitForSentMessages, subscribeHooks } from '../subscribing.ts';
import { eventually } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const HOOKS = 200;
const MAILBOXES = 20;
/** The events that are mailed to all subscribers. */
const EVENTS = ['incident.created', 'maintenance.started'];
const ALL = (HOOKS + MAILBOXES) * EVENTS.length;
/**
 * Time until the maintenance begins, and its duration, in milliseconds. The maintenance outlasts the test, because a
 * message about its end would supersede the message about its beginning.
 */
const AHEAD_MS = 3_000;
const LENGTH_MS = 3_600_000;
/** The lease of the process that delivers messages. */
const LEASE = 'reactor:delivery';

/** Opens webhooks that record the ids of their messages. */
const openHooks = async () => {
  const secrets = new Map<string, string>();
  /** ids of messages by path and event */
  const received = new Map<string, Set<string>>();
  const unsigned: string[] = [];
  const { port } = await httpServer(({ url = '', headers }, response, body) => {
    try {
      const verified = new Webhook(secrets.get(url) ?? '').verify(body, headers as Record<string, string>);
      const key = `${url} ${(verified as { event: string }).event}`;
      received.set(key, (received.get(key) ?? new Set()).add(headers['webhook-id'] as string));
    } catch (error) {
      unsigned.push(`${url}: ${String(error)}`);
    }
    response.writeHead(204).end();
  });
  return { base: `http://127.0.0.1:${port}`, secrets, heard: received, unsigned };
};

const startAll = async (environment: Record<string, string>, port: string) => {
  const [api, project, run, ...schedules] = await Promise.all(
    [['api'], ['project'], ['run', '--region', 'eu-west1'], ['schedule'], ['schedule']].map((duty) =>
      startOne(duty, duty[0] === 'api' ? { ...environment, PORT: port } : environment),
    ),
  );
  if (!api || !project || !run) throw new Error('Every duty has its processes.');
  await eventually(async () => (await fetch(`${api.address}/health/ready`)).ok, { within: 60_000 });
  return { api, schedules };
};

const mailings = async (servers: ClusterServers, mailbox: Mailbox, leases: Leases): Promise<void> => {
  const port = (await freePort()).toString();
  const environment = {
    ...servers.environment,
    ADMIN_API_KEY,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    MAIL_FROM: 'status@example.org',
    SMTP_URL: mailbox.url,
  };
  const { api, schedules } = await startAll(environment, port);
  await waitUntilNotifying(environment);
  const delivering = (): Promise<RunningProgram> => leases.holderOf(LEASE, schedules);
  const get = async (path: string): Promise<unknown> => (await callApi(api, ADMIN_API_KEY, 'GET', path)).body;
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await callApi(api, ADMIN_API_KEY, 'POST', path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };

  const place = (await post('/v1/pages', { name: 'Acme' })) as { id: string; organization_id: string };
  const page = `/v1/pages/${place.id}`;
  const { base, secrets, heard: received, unsigned } = await openHooks();
  const urls = Array.from({ length: HOOKS }, (_, index) => `${base}/${index}`);
  const hooks = await subscribeHooks(environment, { page_id: place.id, organization_id: place.organization_id }, urls);
  for (const { url, secret } of hooks) secrets.set(new URL(url).pathname, secret);
  for (let index = 0; index < MAILBOXES; index++) {
    const email = `reader${index}@example.com`;
    await post(`${page}/subscribers`, { mode: 'email', email, skip_confirmation_notification: true });
  }
  const start = Date.now() + AHEAD_MS;
  const planned = {
    scheduled_for: instantOf(start),
    scheduled_until: instantOf(start + LENGTH_MS),
    deliver_notifications: false,
    auto_transition_deliver_notifications_at_start: true,
  };
  const maintenance = await createMaintenance(api, ADMIN_API_KEY, planned, page);
  await post(`${page}/incidents`, { name: 'Outage', body: 'We look.', status: 'investigating', components: {} });

  const first = await delivering();
  await eventually(() => received.size >= HOOKS / 4, { within: 180_000 });
  await first.end('SIGKILL');
  assert.ok(received.size < HOOKS * EVENTS.length, 'It was killed too late.');

  await maintenance.reaches(api, 'in_progress');
  const logged = await waitForSentMessages(api, ADMIN_API_KEY, place.id, ALL);
  assert.is.not((await delivering()).pid, first.pid);
  assert.equal(unsigned, []);

  const paths = new Map(hooks.map(({ id, url }) => [id, new URL(url).pathname]));
  const ids = (mode: string): string[] => logged.filter((message) => message.mode === mode).map(({ id }) => id);
  assert.is(new Set(logged.map(({ id }) => id)).size, ALL);
  for (const event of EVENTS) {
    const reported = logged.filter((message) => message.event === event).map(({ subscriber_id }) => subscriber_id);
    assert.is(new Set(reported).size, HOOKS + MAILBOXES, event);
  }
  // Every webhook received each message, and every repetition had the id of the first message.
  for (const { id, mode, event, subscriber_id } of logged) {
    if (mode === 'webhook') assert.equal(received.get(`${paths.get(subscriber_id) ?? ''} ${event}`), new Set([id]));
  }
  assert.is(ids('webhook').length, HOOKS * EVENTS.length);

  const mails = new Map<string, string>();
  while (mails.size < MAILBOXES * EVENTS.length) {
    const { to, content } = await mailbox.next();
    const { messageId = '', subject = '' } = await simpleParser(content);
    mails.set(messageId, `${to.join()} ${subject}`);
  }
  assert.equal(
    [...mails.keys()].sort(),
    ids('email')
      .map((id) => `<${id}@example.org>`)
      .sort(),
  );
  assert.is(new Set(mails.values()).size, mails.size);
  assert.equal(await get(`${page}/subscribers/notifications?status=failed`).then(totalOf), 0);
};

const totalOf = (list: unknown): number => (list as { pagination: { total: number } }).pagination.total;

const specifications = (): void => {
  const test = suite('mailings of a cluster');
  test.after.each(endPrograms);
  test.after.each(closeServers);

  test('mailings of a cluster notify every subscriber once of an incident and of a maintenance, although the sending process is killed', async () => {
    const [servers, mailbox] = await Promise.all([startClusterServers(), openMailbox()]);
    const leases = openLeases(servers.database.url);
    try {
      await mailings(servers, mailbox, leases);
    } finally {
      await endPrograms();
      await leases.close();
      await mailbox.close();
      await servers.stop();
    }
  });

  test.run();
};

const missing = lacking();
if (missing !== null) console.log(`skipped: ${missing}`);
else if (!skippedWithoutCluster()) specifications();
