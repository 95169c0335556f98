import { simpleParser } from 'mailparser';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lacking, openMailbox, type Mailbox } from '../notifiers/email/mailbox.ts';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { noBrowser, openBrowser } from './browser.ts';
import { callApi, endPrograms, serve, type RunningProgram } from './program.ts';
import { waitUntilNotifying, linkIn, mailingEnvironment, nextMail, signUp } from './subscribing.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('subscriptions of visitors');

const mailboxes = new Set<Mailbox>();
test.after.each(async () => {
  await endPrograms();
  await closeServers();
  for (const mailbox of mailboxes) await mailbox.close();
  mailboxes.clear();
});

const missing = lacking() ?? noBrowser();
const specify: typeof test = missing === null ? test : ((() => undefined) as unknown as typeof test);
if (missing !== null) console.log(`skipped: ${missing}`);

const openedMailbox = async (): Promise<Mailbox> => {
  const mailbox = await openMailbox();
  mailboxes.add(mailbox);
  return mailbox;
};

const pageOf = async (program: RunningProgram): Promise<string> =>
  (
    (await callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Shop', language: 'de' })).body as {
      id: string;
    }
  ).id;

type Shown = { is_verified: boolean; has_pending_verification: boolean };
const shown = async (program: RunningProgram, page: string, id: string): Promise<Shown> =>
  (await callApi(program, ADMIN_API_KEY, 'GET', `/v1/pages/${page}/subscribers/${id}`)).body as Shown;

specify(
  'a subscription is confirmed with a button behind the link, not by a scanner that opens the link, and is ended with another button',
  inTemporaryFolder(async (folder) => {
    const mailbox = await openedMailbox();
    const environment = await mailingEnvironment(folder, mailbox);
    const program = await serve(environment);
    await waitUntilNotifying(environment);
    const page = await pageOf(program);
    const { id } = await signUp(program, page);
    const mail = await nextMail(mailbox);
    const link = linkIn(mail, 'confirm');
    assert.match(mail.subject ?? '', 'Shop');
    assert.ok(link !== '' && String(mail.html).includes(link), mail.text);

    for (const method of ['GET', 'HEAD', 'GET']) assert.is((await fetch(link, { method })).status, 200);
    assert.is((await shown(program, page, id)).is_verified, false);

    const browser = await openBrowser();
    try {
      const tab = await browser.newPage();
      const refused: string[] = [];
      tab.on('console', (output) => {
        if (output.type() === 'error') refused.push(output.text());
      });
      await tab.goto(link);
      assert.is(await tab.locator('h1').textContent(), 'Abonnement bestätigen');
      await tab.getByRole('button', { name: 'Abonnement bestätigen' }).click();
      await tab.getByRole('heading', { name: 'Ihr Abonnement ist bestätigt' }).waitFor();
      while (!(await shown(program, page, id)).is_verified);

      const opened = { name: 'Outage', body: 'We look into it.', status: 'investigating', components: {} };
      await callApi(program, ADMIN_API_KEY, 'POST', `/v1/pages/${page}/incidents`, opened);
      const notice = await nextMail(mailbox);
      assert.match(notice.subject ?? '', 'Outage');
      await tab.goto(linkIn(notice, 'unsubscribe'));
      await tab.getByRole('button', { name: 'Abmelden' }).click();
      await tab.getByRole('heading', { name: 'Sie sind abgemeldet' }).waitFor();
      assert.equal(refused, [], 'the browser refused something of our own');
    } finally {
      await browser.close();
    }
  }),
);

specify(
  'a subscriber gets a message although the program is killed before the message is sent',
  inTemporaryFolder(async (folder) => {
    const mailbox = await openedMailbox();
    const environment = await mailingEnvironment(folder, mailbox);
    const first = await serve(environment);
    await waitUntilNotifying(environment);
    const page = await pageOf(first);
    const { id } = await signUp(first, page);
    await first.end('SIGKILL');
    const program = await serve(environment);
    const mail = await nextMail(mailbox);
    assert.is((await fetch(linkIn(mail, 'confirm'), { method: 'POST' })).status, 200);
    while (!(await shown(program, page, id)).is_verified);
    // A message that was being sent during the kill is sent again with the same id.
    assert.is(
      new Set(await Promise.all(mailbox.mails.map(async ({ content }) => (await simpleParser(content)).messageId)))
        .size,
      1,
    );
  }),
);

test(
  'a webhook subscription is confirmed when the endpoint returns a challenge',
  inTemporaryFolder(async (folder) => {
    const received: string[] = [];
    const { port } = await httpServer((_request, response, body) => {
      received.push(body);
      const { challenge } = JSON.parse(body) as { challenge: string };
      response.end(JSON.stringify({ challenge }));
    });
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY };
    const program = await serve(environment);
    await waitUntilNotifying(environment);
    const page = await pageOf(program);
    const endpoint = `http://127.0.0.1:${port}/hook`;
    const subscriber = await callApi(program, ADMIN_API_KEY, 'POST', `/v1/pages/${page}/subscribers`, {
      mode: 'webhook',
      endpoint,
    });
    const { id } = subscriber.body as { id: string };
    while (!(await shown(program, page, id)).is_verified);
    assert.is((JSON.parse(received[0] ?? '') as { event: string }).event, 'subscription.verify');
  }),
);

test.run();
