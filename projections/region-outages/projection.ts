import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import { regionStreamId } from '../../domain/region/outage.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** The kind of the causes that {@link RegionNoticeDocument} is (reactors/delivery/). */
export const REGION_CAUSE = 'region';

/** A region that is cut off, by its first alias. */
export interface RegionOutageDocument {
  id: string;
  organization_id: string;
  /** id of the region */
  region: string;
  since: Instant;
}

/** A region that was cut off or is connected again: a cause of messages. The next one of its sort replaces it. */
export interface RegionNoticeDocument {
  /** `eu-west1/cut_off`, `eu-west1/connected` */
  id: string;
  organization_id: string;
  /** id of the region */
  region: string;
  /** of a private location; null: the region has no name of its own */
  name: string | null;
  what: 'cut_off' | 'connected';
  since: Instant;
  cause: Cause;
  priority: 'account';
  /** messages arrive in their order */
  series: string;
  in_order: true;
  caused_at: Instant;
  changed_position: number;
}

const noticeOf = (
  { id, data, metadata, position }: RecordedEventOf<'RegionCutOff' | 'RegionReconnected'>,
  what: RegionNoticeDocument['what'],
): RegionNoticeDocument => {
  const { region, organization_id, since, name = null } = data;
  const alias = regionStreamId(region);
  return {
    id: `${alias}/${what}`,
    organization_id,
    region,
    name,
    what,
    since,
    cause: { kind: REGION_CAUSE, id },
    priority: 'account',
    series: `region ${alias}`,
    in_order: true,
    caused_at: metadata.recorded_at,
    changed_position: Number(position),
  };
};

/** Regions that are cut off from the service, and the notices to their organizations. */
export const regionOutages = defineProjection({
  name: 'region_outages',
  version: 1,
  log: 'main',
  collections: {
    region_outages: collection<RegionOutageDocument>({ indexes: [] }),
    region_notices: collection<RegionNoticeDocument>({ indexes: [{ changed_position: 1 }] }),
  },
  documents: ({ data: { region } }) => {
    const alias = regionStreamId(region);
    return { region_outages: [alias], region_notices: [`${alias}/cut_off`, `${alias}/connected`] };
  },
  on: {
    RegionCutOff: (event, { region_outages, region_notices }) => {
      const { region, organization_id, since } = event.data;
      region_outages.put({ id: regionStreamId(region), organization_id, region, since });
      region_notices.put(noticeOf(event, 'cut_off'));
    },
    RegionReconnected: (event, { region_outages, region_notices }) => {
      const { region, because } = event.data;
      region_outages.delete(regionStreamId(region));
      if (because === 'connected') region_notices.put(noticeOf(event, 'connected'));
    },
  },
});
