import type { Instant } from '../../domain/time.ts';
import { escaped, oneLine } from '../characters.ts';
import { button, layOut, row } from '../mail/layout.ts';
import type { Mail } from '../mail/mail.ts';
import { lightPalette } from '../mail/palette.ts';
import { plainPage } from '../mail/plain-page.ts';
import { timesOf } from '../times.ts';
import { wordsFor } from '../words/index.ts';

export interface AccountMailFacts {
  what: 'invitation' | 'reset';
  /** organization name */
  organization: string;
  /** the user's role */
  role: string;
  /** link to a page with a form. Opening the page changes nothing, so mail scanners may follow the link */
  link: string;
  until: Instant;
}

const LONGEST_NAME = 100;

/**
 * Returns an invitation or password reset e-mail. The e-mail is always in English, because accounts have no language
 * setting.
 */
export const accountMail = (facts: AccountMailFacts): Mail => {
  const { link, until } = facts;
  const organization = oneLine(facts.organization, LONGEST_NAME);
  const { subject, title, sentence, label, notYou } = wordsOf(facts, organization);
  const works = `The link works once, until ${timesOf(wordsFor('en'), 'UTC').moment(until)}.`;
  const text = [title, sentence, `${label}: ${link}`, works, notYou];
  const page = plainPage(organization);
  const palette = lightPalette(page);
  const address = escaped(link);
  const html = layOut({
    language: 'en',
    subject,
    preheader: sentence,
    page,
    rows: [
      row(
        `<h1 class="text" style="margin:0 0 12px;font-size:24px;line-height:1.25;font-weight:700;color:${palette.text}">${escaped(title)}</h1>` +
          `<p class="text" style="margin:0 0 20px;color:${palette.text};word-break:break-word">${escaped(sentence)}</p>`,
        'padding-top:28px;font-size:16px;line-height:1.6',
      ),
      button(label, link, palette),
      row(
        `<span class="muted" style="color:${palette.muted}">Or open this address:</span><br>` +
          `<a class="link" href="${address}" style="color:${palette.link};word-break:break-all">${address}</a>`,
        'padding-bottom:28px;font-size:13px;line-height:1.5',
      ),
    ],
    footer: [works, notYou].map((line) => `<p style="margin:0 0 8px">${escaped(line)}</p>`),
  });
  return { subject, text: `${text.join('\n\n')}\n`, html };
};

interface AccountWords {
  subject: string;
  title: string;
  sentence: string;
  label: string;
  notYou: string;
}

const wordsOf = ({ what, role }: AccountMailFacts, organization: string): AccountWords =>
  what === 'invitation'
    ? {
        subject: `Invitation to ${organization}`,
        title: `You are invited to ${organization}`,
        sentence: `You can join ${organization} with the role ${role}. Choose a password to accept.`,
        label: 'Accept the invitation',
        notYou: 'If you do not know why you got this message, ignore it: nothing happens unless you follow the link.',
      }
    : {
        subject: 'Set a new password',
        title: 'Set a new password',
        sentence: `Somebody, probably you, asked to set a new password for your account at ${organization}.`,
        label: 'Set a new password',
        notYou: 'If it was not you, ignore this message: your password does not change.',
      };
