import { unreachable, type Decider } from '../../../domain/decider.ts';
import { IllegalState, NotFound } from '../../../domain/errors.ts';
import { foldingReplaced } from '../../../domain/replaced-events.ts';
import { shipEvents, type ShipEvent } from './events.ts';

export type Ship =
  | { status: 'absent' }
  | { status: 'in_port'; id: string; callSign: string | null; tons: number; passengers: number }
  | { status: 'at_sea'; id: string; callSign: string | null; tons: number; passengers: number; boundFor: string };

const evolve = (ship: Ship, event: ShipEvent): Ship => {
  if (event.type === 'ShipRegistered') {
    const { ship_id, call_sign } = event.data;
    return { status: 'in_port', id: ship_id, callSign: call_sign, tons: 0, passengers: 0 };
  }
  if (ship.status === 'absent') return ship;
  switch (event.type) {
    case 'CargoLoaded':
      return { ...ship, tons: ship.tons + event.data.tons };
    case 'PassengersBoarded':
      return { ...ship, passengers: ship.passengers + event.data.passengers };
    case 'ShipDeparted':
      return { ...ship, status: 'at_sea', boundFor: event.data.bound_for };
    default:
      return unreachable(event);
  }
};

export const shipDecider: Decider<Ship, ShipEvent> = {
  category: 'ship',
  initialState: { status: 'absent' },
  evolve: foldingReplaced(shipEvents, evolve),
};

/**
 * Appends one event for the passengers and one for the departure. The first release appended a single event for both.
 */
export const sail = (ship: Ship, { passengers, boundFor }: { passengers: number; boundFor: string }): ShipEvent[] => {
  if (ship.status === 'absent') throw new NotFound('No such ship.');
  if (ship.status === 'at_sea') throw new IllegalState('A ship at sea can not depart.');
  const { id: ship_id } = ship;
  return [
    ...(passengers > 0 ? [{ type: 'PassengersBoarded' as const, data: { ship_id, passengers } }] : []),
    { type: 'ShipDeparted', data: { ship_id, bound_for: boundFor } },
  ];
};
