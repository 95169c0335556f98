import { regionOf } from '../check/regions.ts';
import { unreachable, type Decider } from '../decider.ts';
import type { OutageEnd, RegionEvent } from './events.ts';

/** The data of an outage of a region. */
export type Outage = Extract<RegionEvent, { type: 'RegionCutOff' }>['data'];

/** The connection state of a region: its current outage as recorded; null if the region is connected. */
export interface RegionLink {
  outage: Outage | null;
}

const evolve = (_: RegionLink, event: RegionEvent): RegionLink => {
  switch (event.type) {
    case 'RegionCutOff':
      return { outage: event.data };
    case 'RegionReconnected':
      return { outage: null };
    default:
      return unreachable(event);
  }
};

export const regionDecider: Decider<RegionLink, RegionEvent> = {
  category: 'region',
  initialState: { outage: null },
  evolve,
};

/** Returns the id that a region has in its stream name. */
export const regionStreamId = (region: string): string => regionOf(region)?.aliases[0] ?? region;

/**
 * Records an outage. Returns no event if an outage is already recorded, so that several processes can report the same
 * outage.
 */
export const recordDisconnection = ({ outage }: RegionLink, data: Outage): RegionEvent[] =>
  outage === null ? [{ type: 'RegionCutOff', data }] : [];

/** Records the end of an outage. Returns no event if no outage is recorded. */
export const recordReconnection = ({ outage }: RegionLink, because: OutageEnd): RegionEvent[] =>
  outage === null ? [] : [{ type: 'RegionReconnected', data: { ...outage, because } }];
