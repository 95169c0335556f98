import type { Instant } from '../domain/time.ts';
import { escaped, oneLine } from './characters.ts';
import { button, layOut, row, type MailPage } from './mail/layout.ts';
import type { Mail } from './mail/mail.ts';
import { lightPalette, type Palette } from './mail/palette.ts';
import { toCheapestEncoding } from './sms/compose.ts';
import { timesOf } from './times.ts';
import { wordsFor, type Words } from './words/index.ts';

export interface Confirmation {
  page: MailPage;
  /** URL of a page with a button. Opening the page confirms nothing, so mail scanners may follow the link */
  confirmUrl: string;
  /** when the link expires; null: not mentioned */
  validUntil: Instant | null;
}

/** Returns the message that asks the owner of an address to confirm a subscription, as an e-mail and as an SMS. */
export const composeConfirmation = ({ page, confirmUrl, validUntil }: Confirmation): Mail & { sms: string } => {
  const words = wordsFor(page.language);
  const { confirmation, sms } = words;
  const name = oneLine(page.name, 50);
  const subject = confirmation.subject(name);
  const until = validUntil === null ? null : confirmation.until(timesOf(words, page.time_zone).moment(validUntil));
  const text = [
    confirmation.title,
    confirmation.sentence(name),
    confirmation.button + words.colon + confirmUrl,
    ...(until === null ? [] : [until]),
    confirmation.notYou,
  ];
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: htmlOf({ page, words, name, subject, confirmUrl, until }),
    sms: toCheapestEncoding(`${sms.confirm(oneLine(page.name, 30))}\n${confirmUrl}`),
  };
};

interface ConfirmationTexts {
  page: MailPage;
  words: Words;
  name: string;
  subject: string;
  confirmUrl: string;
  until: string | null;
}

const htmlOf = ({ page, words, name, subject, confirmUrl, until }: ConfirmationTexts): string => {
  const palette = lightPalette(page);
  const { confirmation, language } = words;
  const address = escaped(confirmUrl);
  return layOut({
    language,
    subject,
    preheader: confirmation.sentence(name),
    page,
    rows: [
      row(
        `<h1 class="text" style="margin:0 0 12px;font-size:24px;line-height:1.25;font-weight:700;color:${palette.text}">${escaped(confirmation.title)}</h1>` +
          `<p class="text" style="margin:0 0 20px;color:${palette.text};word-break:break-word">${escaped(confirmation.sentence(name))}</p>`,
        'padding-top:28px;font-size:16px;line-height:1.6',
      ),
      button(confirmation.button, confirmUrl, palette),
      row(linkRow(confirmation.orOpen, address, palette), 'padding-bottom:28px;font-size:13px;line-height:1.5'),
    ],
    footer: [...(until === null ? [] : [until]), confirmation.notYou].map(
      (sentence) => `<p style="margin:0 0 8px">${escaped(sentence)}</p>`,
    ),
  });
};

const linkRow = (label: string, address: string, { muted, link }: Palette): string =>
  `<span class="muted" style="color:${muted}">${escaped(label)}</span><br>` +
  `<a class="link" href="${address}" style="color:${link};word-break:break-all">${address}</a>`;
