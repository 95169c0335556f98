import type { DeliveryReceiver } from '../../domain/delivery/decide.ts';
import { regionOf } from '../../domain/check/regions.ts';
import { includesRole, isRole } from '../../domain/organization/roles.ts';
import { regionMail } from '../../messages/region/mail.ts';
import type { UserDocument } from '../../projections/organizations/documents.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { REGION_CAUSE, regionOutages, type RegionNoticeDocument } from '../../projections/region-outages/projection.ts';
import { readableText } from '../../stores/keys/port.ts';
import { causesIn, type CauseContext, type CauseKind, type CauseHandlers } from './cause.ts';

/**
 * Notifies the administrators of an organization when a region loses its last remote runner, and when a runner connects
 * again.
 */
export const region: CauseKind<RegionNoticeDocument> = {
  kind: REGION_CAUSE,
  list: causesIn(regionOutages, 'region_notices'),
  bind: (context) => createRegionHandlers(context),
};

const createRegionHandlers = ({ read, keys, mails }: CauseContext): CauseHandlers<RegionNoticeDocument> => {
  const administrators = async (organization_id: string): Promise<UserDocument[]> => {
    const users = await read(organizations).users.find({ where: { organization_id, status: 'active' } });
    return users.filter(({ role }) => isRole(role) && includesRole(role, 'admin'));
  };

  return {
    receivers: async ({ id: noticeId, organization_id }, after, limit) => {
      if (!mails) return [];
      // All e-mails share one target, because they go to the same relay, whose notifier has its own rate limit.
      const target = await keys.fingerprint('delivery target', 'regions by e-mail');
      return (await administrators(organization_id))
        .map(({ id }): DeliveryReceiver => ({ id: `${noticeId}/${id}`, notifier: 'email', target }))
        .filter(({ id }) => after === null || id > after)
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit);
    },
    compose: async ({ cause, organization_id: organizationId, receiver_id }) => {
      const slash = receiver_id.lastIndexOf('/');
      const notice = await read(regionOutages).region_notices.get(receiver_id.slice(0, slash));
      // The region had a newer outage after this one. The newer outage has its own messages.
      if (notice?.cause.id !== cause.id) return null;
      const user = (await administrators(organizationId)).find(({ id }) => id === receiver_id.slice(slash + 1));
      const organization = await read(organizations).organizations.get(organizationId);
      if (!user || !organization) return null;
      const address = await readableText(user.email, { organizationId, field: 'email' }, keys);
      if (address === undefined) return null;
      const { subject, text, html } = regionMail({
        what: notice.what,
        region: notice.name ?? regionOf(notice.region)?.display_name ?? notice.region,
        since: notice.since,
        at: notice.caused_at,
        organization: organization.name,
      });
      return {
        settings: { address },
        message: {
          event: notice.what === 'cut_off' ? 'region.cut_off' : 'region.reconnected',
          subject,
          text,
          data: {},
          mail: {
            html,
            thread: null,
            sender: { name: organization.name, from: null, replyTo: null },
            unsubscribeUrl: null,
          },
        },
      };
    },
  };
};
