import type { EventOf } from '../../../domain/event-types.ts';
import type { Outage } from '../../../domain/region/outage.ts';

export const outage: Outage = {
  organization_id: 'org000000001',
  region: 'EU, West',
  since: '2026-11-20T15:00:00.000000',
};

export const regionCutOff = (fields: Partial<Outage> = {}): EventOf<'RegionCutOff'> => ({
  type: 'RegionCutOff',
  data: { ...outage, ...fields },
});

export const regionReconnected = (
  fields: Partial<EventOf<'RegionReconnected'>['data']> = {},
): EventOf<'RegionReconnected'> => ({
  type: 'RegionReconnected',
  data: { ...outage, because: 'connected', ...fields },
});
