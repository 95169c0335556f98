import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailAddressOf } from '../../../domain/mail/address.ts';
import { composeEmail } from '../../../notifiers/email/compose.ts';
import { FROM, mac, MAIL, MESSAGE } from './send-mail.ts';

const test = suite('the headers of an e-mail');

/** Names of pages with up to 100 characters, which are difficult to encode in headers. */
const NAMES = [
  'Acme',
  'Acme, "the" company (status)',
  'Состояние служб нашей очень большой компании и всех её дочерних предприятий по всему миру, и ещё',
  '状態'.repeat(50),
  '😀'.repeat(100),
  `é${'x'.repeat(99)}`,
  'x'.repeat(100),
  'A long name with a comma, '.repeat(3).trim(),
  'е\u0308'.repeat(50),
  '=?UTF-8?Q?Acme?=',
];

const composed = async (name: string): Promise<string> => {
  const to = mailAddressOf('ida@example.com');
  assert.ok(to);
  const sender = { name, from: null, replyTo: 'help@acme.example' };
  const unsubscribeUrl = `https://status.example.org/subscriptions/unsubscribe?token=${'x'.repeat(300)}`;
  const message = { ...MESSAGE, subject: name.repeat(3), mail: { ...MAIL, sender, unsubscribeUrl } };
  const options = await composeEmail(message, to, { from: FROM, mac }, Date.now());
  const { message: made } = await createTransport({ streamTransport: true, buffer: true }).sendMail(options);
  assert.ok(Buffer.isBuffer(made));
  return made.toString();
};

/** Returns the value of List-ID with its encoded words decoded (RFC 2047, 6.2). */
const listIdIn = (text: string): string => {
  const [, value = ''] = /^List-ID:((?:.*\r\n[ \t])*.*)\r\n/im.exec(text) ?? [];
  return value
    .replace(/\r\n(?=[ \t])/g, '')
    .trim()
    .replace(/\?=[ \t]+=\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString());
};

for (const name of NAMES) {
  test(`e-mail headers respect the maximum lengths of lines and encoded words for a page named ${name}`, async () => {
    const text = await composed(name);
    const [head = ''] = text.split('\r\n\r\n');
    for (const line of head.split('\r\n')) {
      assert.ok(Buffer.byteLength(line) <= 998, `RFC 5322, 2.1.1: ${line}`);
      if (line.includes('=?UTF-8?') && !line.includes(NAMES.at(-1) ?? '')) {
        assert.ok(line.length <= 76, `RFC 2047, 2: ${line}`);
      }
      assert.match(line, /^[\x20-\x7e\t]*$/);
    }
    for (const [word] of head.matchAll(/=\?[^?\s]+\?[BQ]\?[^?\s]*\?=/gi)) assert.ok(word.length <= 75, word);
    const listId = listIdIn(text);
    const quoted = `"${name
      .replace(/[<>"\\]/g, ' ')
      .replace(/ {2,}/g, ' ')
      .trim()}"`;
    assert.ok([quoted, quoted.slice(1, -1)].includes(listId.replace(' <page00000001.example.org>', '')), listId);
    assert.match(listId, / <page00000001\.example\.org>$/);
    const read = await simpleParser(text);
    assert.is(read.messageId, `<${MESSAGE.id}@example.org>`);
  });
}

test.run();
