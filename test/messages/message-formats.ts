import { createTransport } from 'nodemailer';
import { MAX_BODY, MAX_INCIDENT_NAME } from '../../domain/incident/rules.ts';
import { MAX_POSTMORTEM } from '../../domain/incident/postmortem.ts';
import { MAX_LINE, MAX_NAME, MAX_TEXT } from '../../domain/page/rules.ts';
import { accountMail } from '../../messages/account/mail.ts';
import { alertChat } from '../../messages/alert/chat.ts';
import { alertMail } from '../../messages/alert/mail.ts';
import type { AlertFacts } from '../../messages/alert/alert-facts.ts';
import { composeConfirmation } from '../../messages/confirmation.ts';
import { digestChat, alertEntry, digestMail } from '../../messages/digest.ts';
import { paymentMail } from '../../messages/invoice/mail.ts';
import { regionMail } from '../../messages/region/mail.ts';
import { composeMail } from '../../messages/mail/compose.ts';
import { mailTextsOf, unformattedTexts } from '../../messages/mail/texts.ts';
import type { Notice } from '../../messages/notice.ts';
import { renderReport } from '../../messages/report/render.ts';
import { composeSms } from '../../messages/sms/compose.ts';
import { composeWebhook } from '../../messages/webhook.ts';
import { composeEmail } from '../../notifiers/email/compose.ts';
import { payloadForQuery } from '../../notifiers/webhook/get-query.ts';
import { fillBody, fillUrl } from '../../notifiers/webhook/template.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { subscriptionPage } from '../../site/subscriptions/pages.ts';
import { acceptPage } from '../../site/users/pages.ts';
import { noticeOf, plainPage } from './notices.ts';
import { contentOf } from './report/examples.ts';

/** Returns a text of at most `most` characters. */
export type TextOf = (most: number) => string;

const INSTANT = '2026-11-20T15:04:05.123000';

/** Returns a notice whose texts all have their maximum length. */
const filled = (event: Notice['event'], text: TextOf): Notice => {
  const notice = noticeOf(event);
  return {
    ...notice,
    page: {
      ...plainPage,
      name: text(MAX_NAME),
      support_url: text(MAX_LINE),
      email_logo: text(MAX_LINE),
      notifications_email_footer: text(MAX_TEXT),
      css_link_color: text(MAX_LINE),
    },
    incident: notice.incident && {
      ...notice.incident,
      name: text(MAX_INCIDENT_NAME),
      object: { name: text(MAX_INCIDENT_NAME), incident_updates: [{ body: text(MAX_BODY) }] },
    },
    body: text(MAX_BODY),
    postmortem: notice.postmortem && text(MAX_POSTMORTEM),
    components: Array.from({ length: 100 }, (_, index) => ({
      id: index.toString(),
      name: text(MAX_NAME),
      status: 'major_outage',
    })),
  };
};

const alert = (text: TextOf): AlertFacts => ({
  event: 'alert.fired',
  organization: text(MAX_NAME),
  title: text(MAX_LINE),
  description: text(MAX_TEXT),
  severity: 'high',
  rule_name: text(MAX_NAME),
  check_name: text(MAX_NAME),
  fired_at: INSTANT,
  regional_summary: ['DE', 'US'].map((region) => ({
    region,
    holds: true,
    status: 'failed',
    error_message: text(MAX_TEXT),
  })) as AlertFacts['regional_summary'],
  resolved: null,
  url: 'https://status.acme.example/alerts/alert0000001',
});

const report = (text: TextOf) => {
  const content = contentOf('incidents', { checkCount: 5 });
  return {
    ...content,
    name: text(MAX_NAME),
    organization: text(MAX_NAME),
    checks: content.checks.map((check) => ({ ...check, name: text(MAX_NAME) })),
    outages: content.outages.slice(0, 10).map((outage) => ({ ...outage, cause: text(MAX_TEXT) })),
    incidents: content.incidents.slice(0, 2).map((incident) => ({
      ...incident,
      name: text(MAX_INCIDENT_NAME),
      updates: incident.updates.map((update) => ({ ...update, body: text(MAX_BODY) })),
    })),
  };
};

/** Composes an e-mail and encodes it for SMTP, as for sending it to the relay. */
const sent = async (text: TextOf): Promise<unknown> => {
  const { subject, text: plain, html } = composeMail(filled('incident.updated', text));
  const sender = { name: text(MAX_NAME), from: null, replyTo: null };
  const parts = { html, thread: null, sender, unsubscribeUrl: null, list: 'page00000001' };
  const message = { id: 'k3v9x0q2m7ab', event: 'incident.updated', subject, text: plain, data: {}, mail: parts };
  const at = (local: string) => ({ local, domain: 'acme.example', address: `${local}@acme.example` });
  const identity = { from: { ...at('status'), name: null }, mac: async () => 'c2lnbmF0dXJl' };
  const options = await composeEmail(message, at('jane'), identity, 0);
  return createTransport({ streamTransport: true, buffer: true }).sendMail(options);
};

const filling = (text: TextOf) => ({
  event: 'alert.fired',
  values: { alert: { title: text(MAX_LINE) }, result: { body: text(MAX_BODY) } },
});

/** For each format that shows user texts, a function that renders texts of maximum length. */
export const MESSAGE_FORMATS: Readonly<Record<string, (text: TextOf) => unknown>> = {
  'e-mail of an update': (text) => composeMail(filled('incident.updated', text)),
  'e-mail of a postmortem': (text) => composeMail(filled('postmortem.published', text)),
  'e-mail as it was written': (text) => unformattedTexts(mailTextsOf(filled('postmortem.published', text))),
  'e-mail as it is sent': sent,
  SMS: (text) => composeSms(filled('incident.updated', text)),
  'body of a webhook': (text) => JSON.stringify(composeWebhook(filled('incident.updated', text), INSTANT)),
  'confirmation of a subscription': (text) =>
    composeConfirmation({
      page: filled('incident.updated', text).page,
      confirmUrl: 'https://status.acme.example/c',
      validUntil: null,
    }),
  'e-mail of an alert': (text) => alertMail(alert(text)),
  'chat about an alert': (text) => alertChat(alert(text)),
  'e-mail of a digest': (text) => digestMail({ organization: text(MAX_NAME), ...digested(text) }),
  'chat about a digest': (text) => digestChat({ organization: text(MAX_NAME), ...digested(text) }),
  'e-mail of an account': (text) =>
    accountMail({
      what: 'invitation',
      organization: text(MAX_NAME),
      role: 'editor',
      link: 'https://status.acme.example/u',
      until: INSTANT,
    }),
  'e-mail of a plan': (text) =>
    paymentMail({ what: 'not_renewed', plan: text(MAX_NAME), end: INSTANT }, text(MAX_NAME)),
  'e-mail about a region': (text) =>
    regionMail({ what: 'cut_off', region: text(MAX_NAME), since: INSTANT, at: INSTANT, organization: text(MAX_NAME) }),
  'template of a webhook': (text) => fillBody('{"a":"{{result.body}}","b":{{result}}}', filling(text)),
  'URL of a webhook': (text) =>
    fillUrl('https://acme.example/?a={{result.body|2000}}&b={{alert.title}}', filling(text)),
  'query of a webhook': (text) =>
    payloadForQuery({
      id: 'k3v9x0q2m7ab',
      event: 'alert.fired',
      subject: text(MAX_LINE),
      text: text(MAX_BODY),
      data: filling(text).values,
    }),
  'report as CSV': (text) => renderReport(report(text), 'csv'),
  'report as JSON': (text) => renderReport(report(text), 'json'),
  'report as PDF': (text) => renderReport(report(text), 'pdf'),
  'page of a subscription': (text) =>
    subscriptionPage(
      'confirmed',
      { page: { ...plainPage, name: text(MAX_NAME) } as unknown as PageDocument, address: text(MAX_LINE) },
      null,
    ),
  'page of an invitation': (text) => acceptPage({ organization: text(MAX_NAME), email: text(MAX_LINE) }),
};

const digested = (text: TextOf) => ({
  entries: Array.from({ length: 200 }, () => alertEntry(alert(text))),
  total: 1_000,
  url: null,
});
