import type { IncidentImpact, IncidentStatus } from '../../domain/incident/statuses.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { NoticeEvent } from '../../domain/mailing/notice-event.ts';
import type { StatusIndicator } from '../status-indicator.ts';

/**
 * The kinds of messages. Messages about the announcement or an update of a maintenance have kinds of their own.
 * Webhooks use the same event names for maintenances and for incidents.
 */
export type MessageKind = NoticeEvent | 'maintenance.scheduled' | 'maintenance.updated';

/**
 * All texts of subscriber messages in one language. If a language lacks a key, compilation fails. Functions receive
 * unescaped texts and return text, never HTML.
 */
export interface Words {
  /** BCP 47 tag for the attribute `lang` and for `Intl` */
  language: string;
  /** separates a label from its value */
  colon: string;
  incidentStatus: Readonly<Record<IncidentStatus, string>>;
  componentStatus: Readonly<Record<ComponentStatus, string>>;
  impact: Readonly<Record<IncidentImpact, string>>;
  pageStatus: Readonly<Record<StatusIndicator, string>>;
  /** the event in two or three words, shown before a name: `Postmortem` */
  happened: Readonly<Record<MessageKind, string>>;
  /** standard sentence, used if the author wrote no text */
  sentence: Readonly<Record<MessageKind, string>>;
  times: {
    /** `Nov 20, 2026, 15:04 UTC` */
    moment: (day: string, clock: string, zone: string) => string;
    /** a period within one day: `Nov 20, 2026, 15:04 – 16:00 UTC` */
    span: (day: string, from: string, until: string, zone: string) => string;
  };
  mail: {
    status: string;
    impact: string;
    scheduled: string;
    components: string;
    /** shown after the listed components */
    more: (count: number) => string;
    viewPage: string;
    support: string;
    /** shown if the text was too long for an e-mail */
    cut: string;
    /** shown if the text was too long for an e-mail, before the page's address */
    readOn: string;
    why: (page: string) => string;
    unsubscribe: string;
    /** text of the link to the page for changing a subscription */
    manage: string;
  };
  sms: {
    /** shown before the link */
    unsubscribe: string;
    confirm: (page: string) => string;
  };
  confirmation: {
    subject: (page: string) => string;
    title: string;
    sentence: (page: string) => string;
    button: string;
    /** shown above the plain link, for clients that don't render the button */
    orOpen: string;
    until: (moment: string) => string;
    notYou: string;
  };
}
