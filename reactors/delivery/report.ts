import { artifactPath } from '../../domain/artifact-link.ts';
import { RECIPIENTS } from '../../domain/report/state.ts';
import type { DeliveryReceiver } from '../../domain/delivery/decide.ts';
import { instantOf } from '../../domain/time.ts';
import { reportMail } from '../../messages/report/mail.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import {
  REPORT_CAUSE,
  reports,
  type ReportDocument,
  type ReportNoticeDocument,
} from '../../projections/reports/projection.ts';
import { FORGOTTEN } from '../../stores/keys/port.ts';
import { causesIn, type CauseContext, type CauseKind, type Composed, type CauseHandlers } from './cause.ts';

/** How long the link to a report in an e-mail stays valid, milliseconds. */
export const REPORT_LINK_VALID_MS = 30 * 86_400_000;

/** Sends finished reports to their recipients. */
export const report: CauseKind<ReportNoticeDocument> = {
  kind: REPORT_CAUSE,
  list: causesIn(reports, 'report_notices'),
  bind: (context) => createReportHandlers(context),
};

const createReportHandlers = (context: CauseContext): CauseHandlers<ReportNoticeDocument> => {
  const { read, keys } = context;
  return {
    receivers: async ({ id }, after, limit) => {
      const found = await read(reports).reports.get(id);
      // All e-mails share one target, because they go to the same relay, whose notifier has its own rate limit.
      const target = await keys.fingerprint('delivery target', 'reports by e-mail');
      const all = (found?.recipients ?? []).map((recipient, index): DeliveryReceiver => {
        return { id: receiverId(id, index), notifier: 'email', target, recipient };
      });
      return all.filter((receiver) => after === null || receiver.id > after).slice(0, limit);
    },
    compose: async ({ cause, receiver_id }) => {
      const found = await read(reports).reports.get(cause.id);
      const recipient = found?.recipients.find((_, index) => receiverId(cause.id, index) === receiver_id);
      if (!found?.summary || !recipient) return null;
      const place = { organizationId: found.organization_id, field: RECIPIENTS };
      const address = await keys.open(recipient, place);
      return address === FORGOTTEN ? null : composed(found, address, context);
    },
  };
};

/** Returns the id of a recipient. Indexes are padded with zeros, because ids are sorted as text. */
const receiverId = (id: string, index: number): string => `${id}/${index.toString().padStart(3, '0')}`;

const composed = async (
  document: ReportDocument,
  address: string,
  { read, keys, publicUrl, clock }: CauseContext,
): Promise<Composed | null> => {
  const { id, organization_id: organizationId, artifact_id, summary } = document;
  const organization = await read(organizations).organizations.get(organizationId);
  if (!summary || !organization) return null;
  const until = instantOf(clock() + REPORT_LINK_VALID_MS);
  const path =
    artifact_id === null || publicUrl === null
      ? null
      : await artifactPath({ id: artifact_id, organizationId, until }, (kind, text) => keys.fingerprint(kind, text));
  const mail = reportMail({
    report: document,
    summary,
    organization: organization.name,
    link: path === null ? null : { url: `${publicUrl ?? ''}${path}`, until },
  });
  const { subject, text, html } = mail;
  return {
    settings: { address },
    message: {
      event: 'report.completed',
      subject,
      text,
      data: {},
      mail: {
        html,
        thread: document.scheduled_by ?? id,
        sender: { name: organization.name, from: null, replyTo: null },
        unsubscribeUrl: null,
      },
    },
  };
};
