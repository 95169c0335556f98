import { accountMail } from '../../messages/account/mail.ts';
import { composeConfirmation } from '../../messages/confirmation.ts';
import { paymentMail } from '../../messages/invoice/mail.ts';
import { composeMail } from '../../messages/mail/compose.ts';
import { regionMail } from '../../messages/region/mail.ts';
import type { Mail } from '../../messages/mail/mail.ts';
import { RICH } from './markdown-samples.ts';
import { noticeOf, plainPage, tealPage } from './notices.ts';

const MAILS: Readonly<Record<string, Mail>> = {
  'incident.updated.en': composeMail(noticeOf('incident.updated', { page: tealPage, body: RICH })),
  'maintenance.reminder.de': composeMail(noticeOf('maintenance.reminder', { page: { ...plainPage, language: 'de' } })),
  invitation: accountMail({
    what: 'invitation',
    organization: 'Acme',
    role: 'editor',
    link: 'https://status.acme.example/console/invitation#token=WyJvcmciLCJzdWIuMS5tYWlsZWQiXQ.c2lnbmF0dXJl',
    until: '2026-11-27T15:04:05.123000',
  }),
  'payment.invoiced': paymentMail(
    {
      what: 'invoice',
      seller: 'Uptrail Hosting',
      number: '2026-000042',
      description: 'Team <large> & more, 30 days',
      amount: '4990.00 EUR',
      continues: '2026-11-27T15:04:05.123000',
      paid: false,
      link: {
        url: 'https://status.acme.example/v1/payments/payment00001/invoice?token=WyJvcmciLCJwYXkiXQ.c2lnbmF0dXJl',
        until: '2026-12-20T15:04:05.123000',
      },
    },
    'ООО «Ромашка» & <Söhne>',
  ),
  'subscription.not_renewed': paymentMail(
    { what: 'not_renewed', plan: 'Team <large> & more', end: '2026-11-27T15:04:05.123000' },
    'Acme',
  ),
  'region.cut_off': regionMail({
    what: 'cut_off',
    region: 'West Europe, Belgium',
    since: '2026-11-20T15:04:05.123000',
    at: '2026-11-20T15:05:05.123000',
    organization: 'Acme',
  }),
  'region.reconnected': regionMail({
    what: 'connected',
    region: 'Office <Berlin> & more',
    since: '2026-11-20T15:04:05.123000',
    at: '2026-11-20T15:17:05.123000',
    organization: 'ООО «Ромашка» & <Söhne>',
  }),
  'confirmation.ru': composeConfirmation({
    page: { ...plainPage, language: 'ru', time_zone: 'Europe/Moscow' },
    confirmUrl: 'https://status.acme.example/subscriptions/confirm?token=WyJvcmciLCJzdWIvMSIsbnVsbF0.c2lnbmF0dXJl',
    validUntil: '2026-11-27T15:04:05.123000',
  }),
};

/** Returns complete e-mails with the paths to which `npm run generate` writes them. Review changes of these files. */
export const goldenMails = (): { path: string; text: string }[] =>
  Object.entries(MAILS).flatMap(([name, { subject, text, html }]) => [
    { path: `test/messages/golden/${name}.html`, text: html },
    { path: `test/messages/golden/${name}.txt`, text: `${subject}\n\n${text}` },
  ]);
