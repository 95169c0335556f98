import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageOfLink } from '../../account-links.ts';
import { lacking, openMailbox, type Mailbox } from '../../notifiers/email/mailbox.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { callApi, endPrograms, serve, uptrail, uptrailReading } from '../program.ts';
import { mailingEnvironment, nextMail } from '../subscribing.ts';

const test = suite('invitations');
test.after.each(endPrograms);

const missing = lacking();
if (missing !== null) console.log(`skipped: ${missing}`);

interface Listed {
  email: string;
  status: string;
  role: string;
  email_verified: boolean;
  first_name: string | null;
}

const story = async (folder: string, mailbox: Mailbox): Promise<void> => {
  const environment = await mailingEnvironment(folder, mailbox);
  const program = await serve(environment);
  const run = async (...parameters: string[]): Promise<string> => {
    const { code, stdout, stderr } = await uptrail(environment, ...parameters);
    assert.is(code, 0, stderr);
    return stdout;
  };
  const users = async (...parameters: string[]): Promise<Listed[]> =>
    (await run('user', 'list', '--json', ...parameters))
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Listed);

  const { id: organization } = JSON.parse(await run('organization', 'list', '--json')) as { id: string };
  const boss = ['user', 'create', '--organization', organization, '--email', 'boss@example.com', '--role', 'admin'];
  const made = await uptrailReading('a long walk home\n', environment, ...boss, '--first-name', 'Bo');
  assert.is(made.code, 0, made.stderr);

  const invitation = { email: 'ida@example.com', role: 'editor' };
  const invited = await callApi(program, environment.ADMIN_API_KEY, 'POST', '/v1/users/invite', invitation);
  assert.equal([invited.status, Object.keys(invited.body as object)], [200, ['message']]);
  const mail = await nextMail(mailbox);
  const [link = ''] = /http:\/\/127\.0\.0\.1:\d+\/console\/invitation#token=[\w.-]+/.exec(mail.text ?? '') ?? [];
  assert.ok(link.startsWith(environment.PUBLIC_URL));
  assert.ok(String(mail.html).includes(link));
  const body = new URLSearchParams({ first_name: 'Ida', last_name: 'Bell', password: 'another long walk' });
  const accepted = await fetch(new URL(pageOfLink(link), program.address), {
    method: 'POST',
    body,
    redirect: 'manual',
  });
  assert.match(await accepted.text(), 'You have joined');
  assert.equal(
    (await users()).map((one) => [one.email, one.status, one.email_verified, one.first_name]),
    [
      ['boss@example.com', 'active', false, 'Bo'],
      ['ida@example.com', 'active', true, 'Ida'],
    ],
  );

  await run('user', 'set-role', 'ida@example.com', 'viewer');
  assert.match((await uptrail(environment, 'user', 'remove', 'boss@example.com')).stderr, 'last admin');
  assert.match(
    await run('user', 'reset-password', 'ida@example.com'),
    `${environment.PUBLIC_URL}/console/reset#token=`,
  );
  await run('user', 'forget', 'ida@example.com');
  assert.equal(
    (await users('--status', 'disabled')).map(({ email, first_name, role }) => [email, first_name, role]),
    [['[forgotten]', '[forgotten]', 'viewer']],
  );
};

if (missing === null) {
  test(
    'an invited user gets an e-mail, joins with the link in it, and is changed and removed on the command line',
    inTemporaryFolder(async (folder) => {
      const mailbox = await openMailbox();
      try {
        await story(folder, mailbox);
      } finally {
        await mailbox.close();
      }
    }),
  );
}

test.run();
