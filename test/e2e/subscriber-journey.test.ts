import type { ParsedMail } from 'mailparser';
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maskedEndpoint } from '../../domain/subscriber/masking.ts';
import { lacking, openMailbox, type Mailbox } from '../notifiers/email/mailbox.ts';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { noBrowser, openBrowser } from './browser.ts';
import { callApi, endPrograms, serve } from './program.ts';
import { waitUntilNotifying, linkIn, mailingEnvironment, nextMail, signUp } from './subscribing.ts';

const test = suite('a subscriber');
test.after.each(endPrograms);
test.after.each(closeServers);

const missing = lacking() ?? noBrowser();
if (missing !== null) console.log(`skipped: ${missing}`);

/** A message to a webhook. */
interface Posted {
  headers: Record<string, string>;
  body: string;
}

const eventOf = ({ body }: Posted): string => (JSON.parse(body) as { event: string }).event;

/** Opens a webhook endpoint that records its messages and confirms its subscription. */
const openEndpoint = async () => {
  const posted: Posted[] = [];
  const { port } = await httpServer(({ headers }, response, body) => {
    posted.push({ headers: headers as Record<string, string>, body });
    response.end((JSON.parse(body) as { challenge?: string }).challenge);
  });
  return { endpoint: `http://127.0.0.1:${port}/hook`, posted };
};

const headersOf = ({ headerLines }: ParsedMail): Record<string, string> =>
  Object.fromEntries(
    headerLines.map(({ key, line }) => [
      key,
      line
        .slice(key.length + 1)
        .replaceAll(/\r?\n/g, '')
        .trim(),
    ]),
  );

/** Opens the link in a browser, and clicks the confirmation button. */
const confirm = async (link: string): Promise<void> => {
  const browser = await openBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(link);
    await tab.getByRole('button', { name: 'Confirm subscription' }).click();
    await tab.getByRole('heading', { name: 'Your subscription is confirmed' }).waitFor();
  } finally {
    await browser.close();
  }
};

const journey = async (folder: string, mailbox: Mailbox): Promise<void> => {
  const environment = await mailingEnvironment(folder, mailbox);
  const program = await serve(environment);
  await waitUntilNotifying(environment);
  const callAsAdmin = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await callApi(program, environment.ADMIN_API_KEY, method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body as T;
  };
  const { id: pageId } = await callAsAdmin<{ id: string }>('POST', '/v1/pages', {
    name: 'Acme',
    time_zone: 'Europe/Berlin',
  });
  const page = `/v1/pages/${pageId}`;
  const { id: shop } = await callAsAdmin<{ id: string }>('POST', `${page}/components`, { name: 'Shop' });
  const isVerified = async (id: string): Promise<boolean> =>
    (await callAsAdmin<{ is_verified: boolean }>('GET', `${page}/subscribers/${id}`)).is_verified;

  const ida = await signUp(program, pageId, { mode: 'email', email: 'ida@example.com' });
  const confirmation = await nextMail(mailbox);
  const link = linkIn(confirmation, 'confirm');
  assert.ok(String(confirmation.html).includes(link));
  await confirm(link);
  while (!(await isVerified(ida.id)));

  const { endpoint, posted } = await openEndpoint();
  const hook = await signUp(program, pageId, { mode: 'webhook', endpoint });
  while (!(await isVerified(hook.id)));

  const { id } = await callAsAdmin<{ id: string }>('POST', `${page}/incidents`, {
    name: 'Checkout fails',
    body: 'We look into **failed** payments: [details](https://acme.example/news).',
    status: 'investigating',
    components: { [shop]: 'major_outage' },
  });
  const created = await nextMail(mailbox);
  assert.is(created.subject, '[Acme] Investigating: Checkout fails');
  assert.match(created.text ?? '', /We look into failed payments/);
  assert.match(created.text ?? '', 'https://acme.example/news');
  assert.match(created.text ?? '', /Shop.*Major outage/);
  assert.match(String(created.html), /We look into <strong>failed<\/strong> payments/);
  assert.match(String(created.html), /href="https:\/\/acme\.example\/news"/);
  const end = linkIn(created, 'unsubscribe');
  assert.ok(String(created.html).includes(end.replaceAll('&', '&amp;')));
  const manage = linkIn(created, 'manage');
  assert.ok(String(created.html).includes(manage.replaceAll('&', '&amp;')));
  const managed = await fetch(manage, { headers: { accept: 'text/html' } });
  assert.equal([managed.status, (await managed.text()).includes('<bdi>i***@example.com</bdi>')], [200, true]);
  const headers = headersOf(created);
  assert.is(headers['from'], 'Acme <status@example.org>');
  assert.is(headers['to'], 'ida@example.com');
  assert.is(headers['auto-submitted'], 'auto-generated');
  assert.is(headers['list-unsubscribe'], `<${end}>`);
  assert.is(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');

  while (!posted.some((one) => eventOf(one) === 'incident.created'));
  const { secret: other } = await callAsAdmin<{ secret: string }>(
    'POST',
    `${page}/subscribers/${hook.id}/rotate-secret`,
  );
  await callAsAdmin('PATCH', `${page}/incidents/${id}`, { status: 'identified', body: 'It was a deploy.' });
  const updated = await nextMail(mailbox);
  assert.is(updated.subject, created.subject?.replace('Investigating', 'Identified'));
  assert.ok(updated.inReplyTo);
  assert.is(updated.inReplyTo, created.inReplyTo);
  assert.equal(updated.references, created.references);
  assert.is(confirmation.inReplyTo, undefined);
  assert.is(new Set([confirmation, created, updated].map(({ messageId }) => messageId)).size, 3);

  const ended = await fetch(end, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    redirect: 'manual',
  });
  assert.is(ended.status, 200, await ended.text());
  await callAsAdmin('POST', `${page}/subscribers`, {
    mode: 'email',
    email: 'otto@example.com',
    skip_confirmation_notification: true,
  });
  await callAsAdmin('PATCH', `${page}/incidents/${id}`, {
    status: 'resolved',
    body: 'It was rolled back.',
    components: { [shop]: 'operational' },
  });
  const resolved = await nextMail(mailbox);
  assert.match(resolved.subject ?? '', /Checkout fails/);
  assert.is(headersOf(resolved)['to'], 'otto@example.com');

  type Notification = Record<'mode' | 'recipient' | 'event' | 'status', string>;
  const logged = async (): Promise<string[]> =>
    (
      await callAsAdmin<{ notifications: Notification[] }>('GET', `${page}/subscribers/notifications?incident_id=${id}`)
    ).notifications
      .map(({ mode, recipient, event, status }) => [mode, recipient, event, status].join(' '))
      .sort();
  const reported = [
    'email i***@example.com incident.created sent',
    'email i***@example.com incident.updated sent',
    'email o***@example.com incident.resolved sent',
    ...['created', 'resolved', 'updated'].map((what) => `webhook ${maskedEndpoint(endpoint)} incident.${what} sent`),
  ];
  while ((await logged()).filter((line) => line.endsWith(' sent')).length < reported.length);
  assert.equal(await logged(), reported);
  assert.is(mailbox.mails.length, 4);

  assert.equal(posted.map(eventOf), [
    'subscription.verify',
    'incident.created',
    'incident.updated',
    'incident.resolved',
  ]);
  for (const [index, { headers: signed, body }] of posted.entries()) {
    new Webhook(hook.secret ?? '').verify(body, signed);
    // Messages after the change of the secret are also signed with the new secret.
    if (index >= 2) new Webhook(other).verify(body, signed);
    else assert.throws(() => new Webhook(other).verify(body, signed));
  }
  assert.is((await program.end('SIGTERM')).code, 0);
};

if (missing === null) {
  test(
    'subscribers get the messages about an incident, until they unsubscribe with one click',
    inTemporaryFolder(async (folder) => {
      const mailbox = await openMailbox();
      try {
        await journey(folder, mailbox);
      } finally {
        await mailbox.close();
      }
    }),
  );
}

test.run();
