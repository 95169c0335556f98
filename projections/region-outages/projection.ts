import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import { regionStreamId } from '../../domain/region/outage.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** The kind of cause that {@link RegionNoticeDocument} represents (reactors/delivery/). */
export const REGION_CAUSE = 'region';

/** A region that is cut off. The id is the first alias of the region. */
export interface RegionOutageDocument {
  id: string;
  organization_id: string;
  /** id of the region */
  region: string;
  since: Instant;
}

/**
 * A notice that a region was cut off or is connected again. A notice is the cause of messages. The next notice of the
 * same kind replaces it.
 */
export interface RegionNoticeDocument {
  /** Id such as `eu-west1/cut_off` or `eu-west1/connected`. */
  id: string;
  organization_id: string;
  /** id of the region */
  region: string;
  /** Name of a private location. Null for a public region. */
  name: string | null;
  what: 'cut_off' | 'connected';
  since: Instant;
  cause: Cause;
  priority: 'account';
  /** Messages of the same series are sent in order. */
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
