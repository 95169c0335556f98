import { regionOf } from '../check/regions.ts';
import { unreachable, type Decider } from '../decider.ts';
import type { OutageEnd, RegionEvent } from './events.ts';

/** An outage of a region. */
export type Outage = Extract<RegionEvent, { type: 'RegionCutOff' }>['data'];

/** The connection state of a region: its current recorded outage; null if it is connected. */
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

/** The id of a region in its stream name. */
export const regionStreamId = (region: string): string => regionOf(region)?.aliases[0] ?? region;

/** Records an outage. Does nothing if one is already recorded, so several processes may detect the same outage. */
export const recordDisconnection = ({ outage }: RegionLink, data: Outage): RegionEvent[] =>
  outage === null ? [{ type: 'RegionCutOff', data }] : [];

/** Records the end of an outage. Does nothing without a recorded outage. */
export const recordReconnection = ({ outage }: RegionLink, because: OutageEnd): RegionEvent[] =>
  outage === null ? [] : [{ type: 'RegionReconnected', data: { ...outage, because } }];
