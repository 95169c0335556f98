import type { Instant } from '../../domain/time.ts';
import { escaped, oneLine } from '../characters.ts';
import { button, layOut, row } from '../mail/layout.ts';
import type { Mail } from '../mail/mail.ts';
import { lightPalette } from '../mail/palette.ts';
import { plainPage } from '../mail/plain-page.ts';

/** The facts of a payment message. */
export type PaymentFacts =
  | {
      what: 'invoice';
      /** issuer of the invoice */
      seller: string;
      number: string;
      description: string;
      /** `4990.00 EUR` */
      amount: string;
      /** end of the subscription that the payment renews; null: it renews no subscription */
      continues: Instant | null;
      paid: boolean;
      /** link to the PDF; null if links are unavailable */
      link: { url: string; until: Instant } | null;
    }
  | { what: 'not_renewed'; plan: string; end: Instant };

const LONGEST_NAME = 100;

/**
 * Returns the e-mail about a payment. The e-mail is always in English, because organizations have no language setting.
 */
export const paymentMail = (payment: PaymentFacts, organizationName: string): Mail => {
  const organization = oneLine(organizationName, LONGEST_NAME);
  const { title, sentences } = wordsOf(payment, organization);
  const link = payment.what === 'invoice' ? payment.link : null;
  const works = link && `The link works until ${dayOf(link.until)}, without an API key.`;
  const why = `You receive this e-mail because it concerns the payments of ${organization}.`;
  const text = [title, ...sentences, ...(link ? [`Invoice (PDF): ${link.url}`, works ?? ''] : []), `---\n\n${why}`];
  const page = plainPage(organization);
  const palette = lightPalette(page);
  const paragraphs = sentences.map(
    (sentence) =>
      `<p class="text" style="margin:0 0 12px;color:${palette.text};word-break:break-word">${escaped(sentence)}</p>`,
  );
  const html = layOut({
    language: 'en',
    subject: title,
    preheader: sentences[0] ?? '',
    page,
    rows: [
      row(
        `<h1 class="text" style="margin:0 0 12px;font-size:24px;line-height:1.25;font-weight:700;color:${palette.text};word-break:break-word">${escaped(title)}</h1>${paragraphs.join('')}`,
        'padding-top:28px;padding-bottom:16px;font-size:16px;line-height:1.6',
      ),
      ...(link ? [button('Open the invoice (PDF)', link.url, palette)] : []),
      ...(works === null
        ? []
        : [row(escaped(works), `padding-bottom:24px;font-size:13px;color:${palette.muted}`, 'muted')]),
    ],
    footer: [`<p style="margin:0 0 8px">${escaped(why)}</p>`],
  });
  return { subject: title, text: `${text.join('\n\n')}\n`, html };
};

const dayOf = (instant: Instant): string => instant.slice(0, 10);

const wordsOf = (payment: PaymentFacts, organization: string): { title: string; sentences: string[] } => {
  if (payment.what === 'not_renewed') {
    const plan = oneLine(payment.plan, LONGEST_NAME);
    return {
      title: `The plan ${plan} will not be renewed`,
      sentences: [
        `The plan "${plan}" of ${organization} is paid until ${dayOf(payment.end)}. It was set to renew automatically, but it is no longer available.`,
        'Choose another plan before then. After that day, the default plan applies.',
      ],
    };
  }
  const { number, description, amount, continues, paid } = payment;
  return {
    title: `Invoice ${number}`,
    sentences: [
      `${organization} has ordered: ${oneLine(description, 2 * LONGEST_NAME)}. The amount is ${amount}.`,
      ...(continues === null ? [] : [`It renews the subscription that is paid until ${dayOf(continues)}.`]),
      paid ? 'It is paid.' : 'The invoice says how to pay.',
    ],
  };
};
