import { NotFound } from '../../domain/errors.ts';
import { componentsIn, type PageNotification } from '../../domain/mailing/audience.ts';
import { mailTemplate } from '../../messages/mail/compose.ts';
import type { Mail } from '../../messages/mail/mail.ts';
import { mailTextsOf } from '../../messages/mail/texts.ts';
import type { SharedNotice } from '../../messages/notice.ts';
import type { Sender } from '../../notifiers/notifier.ts';
import type { MailingDocument } from '../../projections/mailings/documents.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { listComponents } from '../../queries/pages/components.ts';
import { withoutWithheldTexts } from '../../queries/pages/incident-edits.ts';
import { incidentWithComponents } from '../../queries/pages/incidents.ts';
import { findPage } from '../../queries/pages/pages.ts';
import type { CauseContext } from '../delivery/cause.ts';
import { composeNotice } from './notice.ts';
import { senderOf } from './sender.ts';

/** The content of a mailing, which all its receivers share. */
export interface MailingContent {
  mailing: MailingDocument;
  page: PageDocument;
  /** the notification, which determines the receivers */
  notification: PageNotification;
  notice: SharedNotice;
  /** Renders the e-mail with this unsubscribe URL. Null for an e-mail without an unsubscribe URL. */
  mail: (unsubscribeUrl: string | null) => Promise<Mail>;
  /** sender of the e-mails */
  sender: Sender;
}

/**
 * Reads the present content of a mailing, from read models that have folded its cause. Returns null if there is nothing
 * to report any more, or if the page does not exist.
 */
export const readMailingContent = async (
  mailing: MailingDocument,
  {
    readAfter,
    shownIncident,
    keys,
    renderTexts,
  }: Pick<CauseContext, 'readAfter' | 'shownIncident' | 'renderTexts'> & { keys: Pick<CauseContext['keys'], 'open'> },
): Promise<MailingContent | null> => {
  const { organization_id: organizationId, told, changed_position: position } = mailing;
  const scope = { read: readAfter(position), organizationId };
  try {
    const page = await findPage(scope, told.page_id);
    const place = told.incident && { page_id: page.id, incident_id: told.incident.id };
    const [components, incident] = await Promise.all([
      listComponents(scope, page),
      place && incidentWithComponents(scope, place),
    ]);
    const visible = incident && { ...incident, incident: withoutWithheldTexts(incident.incident) };
    const notice = composeNotice(told, { page, components, incident: visible, shown: shownIncident });
    if (!notice) return null;
    const named = new Set(componentsIn(told));
    const groups = components.filter(({ id }) => named.has(id)).map(({ group_id }) => group_id);
    for (const id of groups) if (id !== null) named.add(id);
    let template: Promise<ReturnType<typeof mailTemplate>> | undefined;
    const made = async () => mailTemplate(notice, await renderTexts(mailTextsOf(notice)));
    return {
      mailing,
      page,
      notification: { told, position, page, components: named },
      notice,
      mail: async (unsubscribeUrl) => (await (template ??= made()))(unsubscribeUrl),
      sender: await senderOf({ ...scope, keys }, page),
    };
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
};

/**
 * How long content is cached, in milliseconds. Messages composed after this time show edits and deletions made in the
 * meantime.
 */
const SHARED_MS = 1_000;
const MOST_SHARED = 100;

/** Creates a cache that stores the result of `make` for a short time. Does not store failures. */
export const cacheBriefly = <T>(clock: () => number) => {
  const known = new Map<string, { from: number; value: Promise<T> }>();
  return (id: string, make: () => Promise<T>): Promise<T> => {
    const now = clock();
    const found = known.get(id);
    // The entry also expires when the clock was set back.
    if (found && now >= found.from && now < found.from + SHARED_MS) return found.value;
    known.delete(id);
    const [oldest] = known.keys();
    if (known.size >= MOST_SHARED && oldest !== undefined) known.delete(oldest);
    const value = make();
    const entry = { from: now, value };
    known.set(id, entry);
    value.catch(() => {
      if (known.get(id) === entry) known.delete(id);
    });
    return value;
  };
};
