import * as assert from 'uvu/assert';
import { reservationId } from '../../commands/reservations/reservations.ts';
import type { PageEvent } from '../../domain/page/events.ts';
import { reservedName, type NameKind } from '../../domain/page/names.ts';
import { pageDecider, type Page } from '../../domain/page/state.ts';
import type { ReservationEvent } from '../../domain/reservation/events.ts';
import { reservationDecider, type Reservation } from '../../domain/reservation/state.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/** Returns all pages of a log, by id. */
export const pagesOf = async (store: EventStore): Promise<Map<string, Page>> => {
  const pages = new Map<string, Page>();
  for (const { stream, type, data } of await store.readAll({ after: 0n, categories: ['page'] })) {
    const id = stream.slice('page-'.length);
    pages.set(id, pageDecider.evolve(pages.get(id) ?? pageDecider.initialState, { type, data } as PageEvent));
  }
  return pages;
};

const reservationOf = async (store: EventStore, kind: string, name: string): Promise<Reservation> => {
  const events = await store.readStream(`reservation-${reservationId({ kind, name })}`);
  return (events as unknown as ReservationEvent[]).reduce<Reservation>(
    reservationDecider.evolve,
    reservationDecider.initialState,
  );
};

/**
 * Returns the page of each name, and asserts the invariants: no two pages have the same name,
 * and each name of a page is reserved by that page.
 */
export const pageOfEachName = async (store: EventStore, kind: NameKind = 'subdomain'): Promise<Map<string, string>> => {
  const owners = new Map<string, string>();
  for (const [id, page] of await pagesOf(store)) {
    const name = page.status === 'active' ? reservedName(kind, page.fields) : null;
    if (name === null) continue;
    assert.not(owners.has(name), `${kind} ${name} belongs to ${id} and to ${owners.get(name) ?? ''}`);
    owners.set(name, id);
    const reservation = await reservationOf(store, kind, name);
    assert.is(reservation.status === 'held' && reservation.ownerId, id, `${kind} ${name} is reserved for its holder`);
  }
  return owners;
};
