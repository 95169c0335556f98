import { generateKeyPairSync } from 'node:crypto';
import { simpleParser, type AddressObject, type ParsedMail } from 'mailparser';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deliveryOfBounceAddress } from '../../../domain/mail/bounce-address.ts';
import type { NotificationMessage, SendOutcome } from '../../../notifiers/notifier.ts';
import { closeEmails, line, mac, MAIL, mail } from './send-mail.ts';
import { isSigned, lacking, openMailbox, type ReceivedMail, type Mailbox } from './mailbox.ts';

const test = suite('an e-mail');
const absent = lacking();
if (absent !== null) console.log(`skipped: ${absent}`);

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const DKIM = {
  domain: 'acme.example',
  selector: 'uptrail',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const RECORD = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const OWN = { name: 'Acme', from: { address: 'status@acme.example', dkim: DKIM }, replyTo: null };

let mailbox: Mailbox;

interface Received extends ReceivedMail {
  sent: SendOutcome;
  read: ParsedMail;
}

const received = async (message: Partial<NotificationMessage> = {}, address?: string): Promise<Received> => {
  const sent = await mail(mailbox, message, address);
  assert.is(line(sent), 'delivered 250');
  const arrived = await mailbox.next();
  return { ...arrived, sent, read: await simpleParser(arrived.content) };
};

const withMail = (parts: Partial<typeof MAIL>): Partial<NotificationMessage> => ({ mail: { ...MAIL, ...parts } });

const addresses = (field: AddressObject | AddressObject[] | undefined): string =>
  [field ?? []]
    .flat()
    .flatMap(({ value }) => value.map(({ name, address }) => `${name} <${String(address)}>`))
    .join(', ');

/** Returns the header lines of a message, unfolded. */
const headersOf = ({ content }: ReceivedMail): string[] =>
  (content.toString('latin1').split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n');

/** Returns the values of all headers with a name. */
const header = (kept: ReceivedMail, name: string): string[] =>
  headersOf(kept)
    .filter((text) => text.toLowerCase().startsWith(`${name}:`))
    .map((text) => text.slice(name.length + 1).trim());

const specification = (name: string, holds: () => Promise<void>): void => {
  if (absent === null) test(name, holds);
};

test.before(async () => {
  if (absent === null) mailbox = await openMailbox();
});
test.after.each(closeEmails);
test.after(async () => {
  if (absent === null) await mailbox.close();
});

specification('an e-mail has a text part, an HTML part and a subject, in every script', async () => {
  const subject = 'Störung: «Магазин» 停止 🔥 – and more than fits in one line of a header, so that it goes on';
  const text = 'Wir schauen.\nСмотрим.\n.\n..\nFrom here\n'.concat('ж'.repeat(2_000), '\n');
  const html = `<p>Смотрим ${'é'.repeat(2_000)}</p>\n.\n`;
  const { read } = await received({ subject, text, ...withMail({ html }) });
  assert.is(read.subject, subject);
  assert.is(read.text, text);
  assert.is(read.html, html);
  assert.is(read.attachments.length, 0);
});

specification('an e-mail names its sender, its recipient and the address for replies', async () => {
  const { read, to } = await received();
  assert.is(addresses(read.from), 'Acme <status@example.org>');
  assert.is(addresses(read.to), ' <jane@example.com>');
  assert.is(addresses(read.replyTo), ' <help@acme.example>');
  assert.equal(to, ['jane@example.com']);
});

specification('the bounce address of an e-mail contains the id of its delivery', async () => {
  const one = await received();
  const other = await received({ id: 'delivery0002' });
  assert.is(await deliveryOfBounceAddress(one.from, mac), 'delivery0001');
  assert.is(await deliveryOfBounceAddress(other.from, mac), 'delivery0002');
  assert.match(one.from, /^status\+.*@example\.org$/);
});

specification('an e-mail has the same unique Message-ID at each attempt', async () => {
  const ids: (string | undefined)[] = [];
  for (const id of ['delivery0001', 'delivery0001', 'delivery0002']) ids.push((await received({ id })).read.messageId);
  assert.equal(ids, ['<delivery0001@example.org>', '<delivery0001@example.org>', '<delivery0002@example.org>']);
});

specification('mail programs group an e-mail with others of its thread', async () => {
  const { read } = await received();
  assert.is(read.inReplyTo, '<thread.incident0001@example.org>');
  assert.is(read.references, '<thread.incident0001@example.org>');
  const alone = (await received(withMail({ thread: null }))).read;
  assert.equal([alone.inReplyTo, alone.references], [undefined, undefined]);
});

specification('an e-mail has headers for its date and for being generated automatically', async () => {
  const before = Date.now();
  const dated = await received();
  assert.equal(header(dated, 'auto-submitted'), ['auto-generated']);
  assert.equal(header(dated, 'precedence'), ['bulk']);
  assert.ok(Math.abs((dated.read.date?.getTime() ?? 0) - before) < 60_000);
  assert.equal(header(dated, 'x-mailer'), []);
});

specification(
  'a subscription e-mail offers one-click unsubscription if the URL uses https or this machine, and otherwise links to a page',
  async () => {
    const clicks = async (unsubscribeUrl: string) => {
      const linked = await received(withMail({ unsubscribeUrl }));
      assert.equal(header(linked, 'list-unsubscribe'), [`<${unsubscribeUrl}>`]);
      return header(linked, 'list-unsubscribe-post').join();
    };
    const token = 'x'.repeat(300);
    assert.is(
      await clicks(`https://status.example.org/subscriptions/unsubscribe?token=${token}`),
      'List-Unsubscribe=One-Click',
    );
    assert.is(await clicks('http://127.0.0.1:3000/subscriptions/unsubscribe?token=x'), 'List-Unsubscribe=One-Click');
    assert.is(await clicks('http://localhost:3000/subscriptions/unsubscribe?token=x'), 'List-Unsubscribe=One-Click');
    assert.is(await clicks('http://[::1]:3000/subscriptions/unsubscribe?token=x'), 'List-Unsubscribe=One-Click');
    assert.is(await clicks('http://status.example.org/subscriptions/unsubscribe?token=x'), '');
  },
);

specification('an e-mail has a List-ID header unless it is for one person only', async () => {
  const listed = await received();
  assert.equal(header(listed, 'list-id'), ['"Acme" <page00000001.example.org>']);
  const alone = await received(withMail({ list: null, unsubscribeUrl: null }));
  assert.equal(
    headersOf(alone).filter((text) => /^(list-|precedence)/i.test(text)),
    [],
  );
});

specification('the domain of the sender signs an e-mail, including its unsubscription headers', async () => {
  const signedMail = await received(withMail({ sender: OWN }));
  assert.is(addresses(signedMail.read.from), 'Acme <status@acme.example>');
  assert.equal(header(signedMail, 'sender'), []);
  assert.match(signedMail.from, /@example\.org$/);
  const [signature = ''] = header(signedMail, 'dkim-signature');
  assert.match(signature, /d=acme\.example; .*s=uptrail;/);
  const signed = /; h=([^;]*)/.exec(signature)?.[1]?.replace(/\s/g, '').split(':') ?? [];
  for (const name of [
    'from',
    'to',
    'subject',
    'date',
    'message-id',
    'list-unsubscribe',
    'list-unsubscribe-post',
    'list-id',
  ]) {
    assert.ok(signed.includes(name), name);
  }
  assert.ok(isSigned(signedMail.content, 'uptrail._domainkey.acme.example', RECORD));
  const changed = Buffer.from(signedMail.content.toString('latin1').replace('One-Click', 'Two-Click'), 'latin1');
  assert.not(isSigned(changed, 'uptrail._domainkey.acme.example', RECORD));
});

specification(
  'the signature of an e-mail is valid for texts in every script and for lines that consist of dots',
  async () => {
    const text = `.\n..\n${'ж'.repeat(3_000)}  \n\n\n`;
    const subject = 'Störung «Магазин»   停止';
    const scripted = await received({ subject, text, ...withMail({ sender: { ...OWN, name: 'Магазин «Ü»' } }) });
    assert.is(scripted.read.subject, subject.replace(/ {2,}/g, ' '));
    assert.ok(isSigned(scripted.content, 'uptrail._domainkey.acme.example', RECORD));
  },
);

specification(
  "an e-mail is sent from the address of the service if the domain of the customer's address can't sign it",
  async () => {
    for (const address of ['status@other.example', 'status@notacme.example', 'status', 'x\r\nBcc: y@acme.example']) {
      const mailFromService = await received(withMail({ sender: { ...OWN, from: { address, dkim: DKIM } } }));
      assert.is(addresses(mailFromService.read.from), 'Acme <status@example.org>', address);
      assert.equal(header(mailFromService, 'dkim-signature'), []);
    }
    const below = await received(
      withMail({ sender: { ...OWN, from: { address: 'status@mail.acme.example', dkim: DKIM } } }),
    );
    assert.is(addresses(below.read.from), 'Acme <status@mail.acme.example>');
    assert.ok(isSigned(below.content, 'uptrail._domainkey.acme.example', RECORD));
  },
);

specification('an e-mail can be sent to addresses in other scripts', async () => {
  const domain = await received({}, 'jane@bücher.example');
  assert.equal([domain.to, domain.options], [['jane@xn--bcher-kva.example'], '']);
  const local = await received({}, 'jürgen@bücher.example');
  assert.equal(local.to, ['jürgen@bücher.example']);
  assert.match(local.options, /SMTPUTF8/);
});

specification('line breaks in the texts of an e-mail add no headers', async () => {
  const evil = 'x\r\nBcc: joe@example.com\r\n\r\n<script>\u0000\u202egnp.exe\u2028\u2029\u0085';
  const attacked = await received(
    {
      subject: evil,
      ...withMail({
        sender: { name: `"Bank" <info@bank.example>, ${evil}`, from: null, replyTo: `jane@example.com${evil}` },
        thread: evil,
        list: evil,
      }),
    },
    'jane@example.com',
  );
  const names = headersOf(attacked).map((text) => text.split(':')[0]);
  for (const name of ['Bcc', 'Reply-To', 'In-Reply-To', 'References', 'List-ID'])
    assert.not.ok(names.includes(name), name);
  assert.equal(attacked.to, ['jane@example.com']);
  assert.is(attacked.read.subject, 'x Bcc: joe@example.com <script> gnp.exe');
  assert.match(addresses(attacked.read.from), /^Bank info@bank.example , x Bcc: .* <status@example\.org>$/);
  assert.not.match(addresses(attacked.read.from).replace(' <status@example.org>', ''), /[<>"\r\n\u202e]/);
});

specification('no e-mail is sent to an invalid address', async () => {
  for (const address of [
    '',
    'jane',
    'jane@example.com\r\nDATA',
    'jane@example.com>\r\nRCPT TO:<joe@example.com',
    '<>',
  ]) {
    assert.is(line(await mail(mailbox, {}, address)), 'permanent settings null: The address can’t be used for e-mail.');
  }
});

specification('composing an e-mail never reads files or opens URLs that its texts contain', async () => {
  const html = '<img src="file:///etc/passwd"><img src="http://127.0.0.1:1/x">';
  const { read } = await received({ text: '/etc/passwd', ...withMail({ html }) });
  assert.is(read.html, html);
  assert.is(read.attachments.length, 0);
});

specification('a message without parts for e-mail is sent as plain text only', async () => {
  const sent = await mail(mailbox, { mail: undefined as never });
  assert.is(line(sent), 'delivered 250');
  const read = await simpleParser((await mailbox.next()).content);
  assert.equal([read.text?.trim(), read.html], ['We are looking into it.', false]);
  assert.is(addresses(read.from), 'Acme Status <status@example.org>');
});

test.run();
