import { simpleParser } from 'mailparser';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HealthPart } from '../../http/health.ts';
import { BOUNCE_ADDRESS, postfixReport } from '../domain/mail/reports.ts';
import { lacking, openMailbox } from '../notifiers/email/mailbox.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApi, endPrograms, IS_CLUSTER, serve, uptrailReading, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const PUBLIC_URL = 'http://127.0.0.1:3000';
const HARD = postfixReport({ action: 'failed', status: '5.1.1' });

const test = suite('e-mail');
test.after.each(endPrograms);
const absent = lacking();
if (absent !== null) console.log(`skipped: ${absent}`);

const emailIn = async ({ address }: RunningProgram): Promise<HealthPart | undefined> => {
  const { parts } = (await (await fetch(`${address}/health/ready`)).json()) as { parts: HealthPart[] };
  return parts.find(({ name }) => name === 'e-mail');
};

if (absent === null) {
  test(
    'e-mail reaches a subscriber through a mail server, until a bounce reports that the address is invalid',
    inTemporaryFolder(async (DATA_DIR) => {
      const mailbox = await openMailbox();
      try {
        const environment = {
          DATA_DIR,
          ADMIN_API_KEY,
          PUBLIC_URL,
          MAIL_FROM: 'Acme Status <status@example.org>',
          SMTP_URL: mailbox.url,
        };
        const program = await serve(environment);
        if (!IS_CLUSTER) assert.is((await emailIn(program))?.state, 'on');
        const made = async (path: string, body: object): Promise<Record<string, unknown>> => {
          const response = await callApi(program, ADMIN_API_KEY, 'POST', path, body);
          assert.ok(response.status < 300, JSON.stringify(response.body));
          return response.body as Record<string, unknown>;
        };
        const page = `/v1/pages/${(await made('/v1/pages', { name: 'Acme' }))['id'] as string}`;
        const { id } = (await made(`${page}/subscribers`, {
          mode: 'email',
          email: 'jane@example.com',
          skip_confirmation_notification: true,
        })) as { id: string };
        const incident = { status: 'investigating', body: 'We are **looking** into it.', components: {} };
        await made(`${page}/incidents`, { name: 'The shop is down', ...incident });

        const message = await mailbox.next();
        const read = await simpleParser(message.content);
        assert.equal(message.to, ['jane@example.com']);
        assert.match(message.from, /^status\+[a-z0-9]{12}\.[0-9a-f]{16}@example\.org$/);
        assert.is(read.from?.text, '"Acme" <status@example.org>');
        assert.match(read.subject ?? '', /The shop is down/);
        assert.match(read.text ?? '', /We are looking into it\./);
        assert.match(String(read.html), /We are <strong>looking<\/strong> into it\./);

        const bounce = (report: string, ...options: string[]) =>
          uptrailReading(report, environment, 'bounce', ...options);
        const forged = await bounce(HARD);
        assert.equal([forged.code, forged.stderr], [0, '']);
        assert.match(forged.stdout, /^Ignored: /);
        const soft = postfixReport({ action: 'failed', status: '4.4.1' }).replaceAll(BOUNCE_ADDRESS, message.from);
        assert.match((await bounce(soft)).stdout, /^Ignored: .* not because of its address\.$/m);
        const taken = await bounce(HARD, '--recipient', message.from);
        assert.is(taken.code, 0, taken.stderr);
        assert.match(taken.stdout, new RegExp(`^Subscriber ${id} gets no more mail: `));

        const state = async () =>
          ((await callApi(program, ADMIN_API_KEY, 'GET', `${page}/subscribers/${id}`)).body as Record<string, unknown>)[
            'quarantined_at'
          ];
        await eventually(async () => (await state()) !== null, { within: 60_000 });
      } finally {
        await mailbox.close();
      }
    }),
  );
}

test(
  'without a configuration of e-mail, no e-mail is sent, and the health endpoint reports this',
  inTemporaryFolder(async (DATA_DIR) => {
    if (IS_CLUSTER) return;
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const { state, message } = (await emailIn(program)) ?? {};
    assert.equal([state, message], ['off', 'E-mail is off: set MAIL_FROM and PUBLIC_URL.']);
  }),
);

test(
  'bounces that can’t be read remain on the mail server',
  inTemporaryFolder(async (folder) => {
    if (IS_CLUSTER) return;
    const absent = await uptrailReading(HARD, { DATA_DIR: `${folder}/absent` }, 'bounce');
    assert.equal([absent.code, absent.stdout], [75, '']);
    assert.match(absent.stderr, /absent/);
    const wrong = await uptrailReading(HARD, { DATA_DIR: folder, PORT: 'x' }, 'bounce');
    assert.is(wrong.code, 75);
    assert.match(wrong.stderr, /^PORT must be/);
    assert.is((await uptrailReading('', { DATA_DIR: folder }, 'bounce', '--what')).code, 64);
    const large = await uptrailReading('x\n'.repeat(5_000_000), { DATA_DIR: `${folder}/absent` }, 'bounce');
    assert.is(large.code, 75);
  }),
);

test.run();
