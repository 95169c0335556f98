import { regionOf } from '../check/regions.ts';
import { unreachable, type Decider } from '../decider.ts';
import type { OutageEnd, RegionEvent } from './events.ts';

/** An outage of a region, as its events have it. */
export type Outage = Extract<RegionEvent, { type: 'RegionCutOff' }>['data'];

/** Whether a region is cut off, as far as it was recorded; null: it is not. */
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

/** What names the stream of a region. */
export const regionStreamId = (region: string): string => regionOf(region)?.aliases[0] ?? region;

/** Records an outage; nothing where one is recorded already, so several processes may find the same. */
export const cutOff = ({ outage }: RegionLink, data: Outage): RegionEvent[] =>
  outage === null ? [{ type: 'RegionCutOff', data }] : [];

/** Records the end of an outage; nothing where none is recorded. */
export const reconnected = ({ outage }: RegionLink, because: OutageEnd): RegionEvent[] =>
  outage === null ? [] : [{ type: 'RegionReconnected', data: { ...outage, because } }];
