import { Type, type Static } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf, FoldedEventsOf } from '../../../domain/event.ts';
import { WITHDRAWN } from '../../../domain/replaced-events.ts';

const Id = Type.String();

/*
 * The events of an aggregate that exists for docs/develop/change-event.md only. Its first release appended
 * ShipRegistered@1, CargoLoaded@1, ShipSailed@1 and ShipTracked@1. The second release made one change of each kind.
 */

/** Version 2 adds `call_sign`. */
const ShipRegistered = Type.Object({
  ship_id: Id,
  name: Type.String(),
  call_sign: Type.Union([Type.String(), Type.Null()]),
});

/** In version 1, `tons` was named `weight`. */
const CargoLoaded = Type.Object({ ship_id: Id, tons: Type.Integer({ minimum: 1 }) });

const ShipSailed = Type.Object({ ship_id: Id, passengers: Type.Integer({ minimum: 0 }), bound_for: Type.String() });
const PassengersBoarded = Type.Object({ ship_id: Id, passengers: Type.Integer({ minimum: 1 }) });
const ShipDeparted = Type.Object({ ship_id: Id, bound_for: Type.String() });

const ShipTracked = Type.Object({ ship_id: Id, latitude: Type.Number(), longitude: Type.Number() });

export const shipEvents = {
  ShipRegistered: { version: 2, data: ShipRegistered },
  CargoLoaded: { version: 2, data: CargoLoaded },
  PassengersBoarded: { version: 1, data: PassengersBoarded },
  ShipDeparted: { version: 1, data: ShipDeparted },
  /**
   * Split into one event for the passengers and one for the departure, because passengers can board without a
   * departure.
   */
  ShipSailed: {
    version: 1,
    data: ShipSailed,
    replacedBy: {
      types: ['PassengersBoarded', 'ShipDeparted'],
      events: ({ ship_id, passengers, bound_for }: Static<typeof ShipSailed>) => [
        ...(passengers > 0 ? [{ type: 'PassengersBoarded', data: { ship_id, passengers } }] : []),
        { type: 'ShipDeparted', data: { ship_id, bound_for } },
      ],
    },
  },
  /** Withdrawn, because the tracking receivers were wrong by up to a hundred miles. */
  ShipTracked: { version: 1, data: ShipTracked, replacedBy: WITHDRAWN },
} as const satisfies EventDefinitions;

/** All events that a log can contain. */
export type StoredShipEvent = EventsOf<typeof shipEvents>;

/** The events that are appended and folded. */
export type ShipEvent = FoldedEventsOf<typeof shipEvents>;
