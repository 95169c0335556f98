import { suite } from 'uvu';
import { ReservationChanged, releaseName, reserveName } from '../../../domain/reservation/decide.ts';
import { reservationDecider, type Reservation } from '../../../domain/reservation/state.ts';
import { specification } from '../specification.ts';

const reservation = specification(reservationDecider);
const test = suite('a reservation of a name');

const NAME = { kind: 'subdomain', name: 'acme' };
const reserved = (owner: string, claim: number) =>
  ({
    type: 'NameReserved',
    data: { ...NAME, owner_id: owner, organization_id: `org of ${owner}`, claim },
  }) as const;
const released = (owner: string, claim: number) =>
  ({ type: 'NameReleased', data: { ...NAME, owner_id: owner, claim } }) as const;
const reserve = (owner: string, seen: number) => (state: Reservation) =>
  reserveName(state, NAME, { id: owner, organizationId: `org of ${owner}` }, seen);
const release = (owner: string, claim: number | null) => (state: Reservation) => releaseName(state, NAME, owner, claim);

test('a reservation of a name is a claim with the next number', () => {
  reservation.given().when(reserve('a', 0)).then(reserved('a', 1));
  reservation.given(reserved('a', 1)).when(reserve('a', 1)).then(reserved('a', 2));
  reservation.given(reserved('a', 1)).when(reserve('b', 1)).then(reserved('b', 2));
  reservation.given(reserved('a', 1), released('a', 1)).when(reserve('b', 1)).then(reserved('b', 2));
});

test('a name can be reserved only by a request that knows the newest claim on the name', () => {
  reservation.given(reserved('a', 1)).when(reserve('b', 0)).throws(ReservationChanged);
  reservation.given(reserved('a', 1), reserved('a', 2)).when(reserve('a', 1)).throws(ReservationChanged);
});

test('a reservation is released for its newest claim or for its owner, and not for an older claim', () => {
  reservation.given(reserved('a', 1)).when(release('a', 1)).then(released('a', 1));
  reservation.given(reserved('a', 1), reserved('a', 2)).when(release('a', null)).then(released('a', 2));
  reservation.given(reserved('a', 1), reserved('a', 2)).when(release('a', 1)).thenNothing();
  reservation.given(reserved('a', 1)).when(release('b', null)).thenNothing();
  reservation.given(reserved('a', 1), released('a', 1)).when(release('a', null)).thenNothing();
});

test.run();
