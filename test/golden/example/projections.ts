import type { RecordedEvent } from '../../../domain/event.ts';
import {
  collection,
  defineProjection,
  type AnyProjection,
  type Collections,
  type Models,
} from '../../../projections/engine/fold/define.ts';
import { shipEvents, type StoredShipEvent } from './events.ts';

/** The event types of a release that has ships only. */
export const SHIP_CATALOGUE = { ship: shipEvents };

type Stored<T extends StoredShipEvent['type']> = RecordedEvent<Extract<StoredShipEvent, { type: T }>>;

/** A projection of ships. In the product, `defineProjection` infers these types from the catalogue. */
interface ShipProjection<C extends Collections> {
  name: string;
  collections: C;
  documents: (event: RecordedEvent<StoredShipEvent>) => { [K in keyof C]?: readonly string[] };
  on: { [T in StoredShipEvent['type']]?: (event: Stored<T>, models: Models<C>) => void };
}

const define = <C extends Collections>(projection: ShipProjection<C>): AnyProjection =>
  defineProjection({ version: 2, log: 'main', ...projection } as unknown as AnyProjection, SHIP_CATALOGUE);

export interface ShipDocument {
  id: string;
  name: string;
  call_sign: string | null;
  tons: number;
  passengers: number;
  bound_for: string | null;
  departures: number;
}

/** The current ships. This projection handles only the event types of the second release, and not ShipTracked. */
export const ships = define({
  name: 'ships',
  collections: { ships: collection<ShipDocument>({ indexes: [] }) },
  documents: ({ data }) => ({ ships: [data.ship_id] }),
  on: {
    ShipRegistered: ({ data: { ship_id, name, call_sign } }, models) => {
      models.ships.put({ id: ship_id, name, call_sign, tons: 0, passengers: 0, bound_for: null, departures: 0 });
    },
    CargoLoaded: ({ data }, { ships }) => {
      const ship = ships.get(data.ship_id);
      if (ship) ships.put({ ...ship, tons: ship.tons + data.tons });
    },
    PassengersBoarded: ({ data }, { ships }) => {
      const ship = ships.get(data.ship_id);
      if (ship) ships.put({ ...ship, passengers: ship.passengers + data.passengers });
    },
    ShipDeparted: ({ data }, { ships }) => {
      const ship = ships.get(data.ship_id);
      if (ship) ships.put({ ...ship, bound_for: data.bound_for, departures: ship.departures + 1 });
    },
  },
});

export interface LogbookEntry {
  /** id of the event */
  id: string;
  ship_id: string;
  entry: string;
}

/**
 * The recorded events, as in an audit log. This projection handles ShipSailed and ShipTracked itself, so it gets both.
 */
export const logbook = define({
  name: 'logbook',
  collections: { entries: collection<LogbookEntry>({ indexes: [] }) },
  documents: ({ id }) => ({ entries: [id] }),
  on: {
    ShipSailed: ({ id, data: { ship_id, bound_for } }, models) => {
      models.entries.put({ id, ship_id, entry: `sailed for ${bound_for}` });
    },
    ShipDeparted: ({ id, data: { ship_id, bound_for } }, models) => {
      models.entries.put({ id, ship_id, entry: `departed for ${bound_for}` });
    },
    ShipTracked: ({ id, data: { ship_id, latitude, longitude } }, models) => {
      models.entries.put({ id, ship_id, entry: `tracked at ${latitude}, ${longitude}` });
    },
  },
});
