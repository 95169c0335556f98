import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { LaneStep } from '../../domain/uptime/lane.ts';
import { NEVER, type ComponentDocument, type LaneDocument } from './documents.ts';
import { logOrderOf } from './lanes.ts';
import { withShownStatus } from './shown-status.ts';
import { spanOf } from './spans.ts';

type Holding = RecordedEventOf<'ComponentHeld' | 'ComponentReleased'>;

export const laneIdOfHolder = ({ component_id, holder }: Holding['data']): string => `${holder}=${component_id}`;

/**
 * Returns the lane of a holder for a component. The lane has an effect only until the component is released, and does
 * not end statuses that other lanes have left behind. The lane of an incident that was already over when it was
 * recorded behaves in the same way.
 */
export const laneOfHolder = (before: LaneDocument | undefined, event: Holding): LaneDocument => {
  const { component_id } = event.data;
  const isHeld = event.type === 'ComponentHeld';
  const at = isHeld ? event.data.held_at : event.data.released_at;
  const step: LaneStep = {
    at,
    order: logOrderOf(event),
    sets: isHeld ? event.data.status : null,
    past: true,
    open: isHeld,
    under_way: false,
  };
  const begins = before?.begins ?? at;
  const settled = isHeld ? NEVER : at;
  return {
    id: laneIdOfHolder(event.data),
    source: 'hold',
    steps: [...(before?.steps ?? []), step],
    component_id,
    incident_id: null,
    begins,
    first_update: begins,
    resolved: settled,
    settled,
    leaves: null,
    span: spanOf(begins, settled),
    last_set: null,
  };
};

/** Adds a hold to a component, or removes the hold. */
export const withHold = (component: ComponentDocument, event: Holding): ComponentDocument => {
  const { holder } = event.data;
  const others = component.holds.filter((hold) => hold.holder !== holder);
  if (event.type === 'ComponentReleased')
    return withShownStatus({ ...component, holds: others }, event.data.released_at);
  const { status, held_at } = event.data;
  return withShownStatus({ ...component, holds: [...others, { holder, status }] }, held_at);
};
