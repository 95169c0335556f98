import type { IncidentImpact, IncidentStatus } from '../../domain/incident/statuses.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { NoticeEvent } from '../../domain/mailing/notice-event.ts';
import type { StatusIndicator } from '../status-indicator.ts';

/** What people are told of: to them, announcing and changing a maintenance is not what it is to an incident. */
export type Happening = NoticeEvent | 'maintenance.scheduled' | 'maintenance.updated';

/**
 * Everything that Uptrail itself says to subscribers, in one language. A key that a language lacks
 * does not compile. Functions get texts as people wrote them and return text, never HTML.
 */
export interface Words {
  /** for `lang` and for Intl (BCP 47) */
  language: string;
  /** between a label and what it says */
  colon: string;
  incidentStatus: Readonly<Record<IncidentStatus, string>>;
  componentStatus: Readonly<Record<ComponentStatus, string>>;
  impact: Readonly<Record<IncidentImpact, string>>;
  pageStatus: Readonly<Record<StatusIndicator, string>>;
  /** says in two or three words what happened, before a name: `Postmortem` */
  happened: Readonly<Record<Happening, string>>;
  /** stands where nobody wrote a text */
  sentence: Readonly<Record<Happening, string>>;
  times: {
    /** `Nov 20, 2026, 15:04 UTC` */
    moment: (day: string, clock: string, zone: string) => string;
    /** within a day: `Nov 20, 2026, 15:04 – 16:00 UTC` */
    span: (day: string, from: string, until: string, zone: string) => string;
  };
  mail: {
    status: string;
    impact: string;
    scheduled: string;
    components: string;
    /** behind components that are listed */
    more: (count: number) => string;
    viewPage: string;
    support: string;
    /** the text was too long for an e-mail */
    cut: string;
    /** the text was too long, and can be read at the page, whose address follows */
    readOn: string;
    why: (page: string) => string;
    unsubscribe: string;
    /** of the link to the page that changes a subscription */
    manage: string;
  };
  sms: {
    /** before the link */
    unsubscribe: string;
    confirm: (page: string) => string;
  };
  confirmation: {
    subject: (page: string) => string;
    title: string;
    sentence: (page: string) => string;
    button: string;
    /** before the link itself, for whom the button does not work */
    orOpen: string;
    until: (moment: string) => string;
    notYou: string;
  };
}
