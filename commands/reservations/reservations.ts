import { createHash } from 'node:crypto';
import { Conflict } from '../../domain/errors.ts';
import {
  releaseName,
  ReservationMoved,
  reserveName,
  type Owner,
  type UniqueName,
} from '../../domain/reservation/decide.ts';
import { reservationDecider, type HeldReservation, type Reservation } from '../../domain/reservation/state.ts';
import { systemActor } from '../../domain/system-event.ts';
import { commandContext, derivedUuid, step, type CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';

/*
 * Names that are unique over several aggregates. A claimant first appends to the name's own stream,
 * `reservation-{kind}_{hash}`, and then to the owner's, which from then on holds the name. Whoever
 * dies in between leaves a reservation with nothing behind it, which the next claimant takes over:
 * it closes the owner's stream to that claim and only then claims the name itself. Of an owner that
 * is slow, not dead, and the one who takes over, the slower loses by a conflict on one of the two
 * streams. Claims are numbered, so that what was meant for an old claim never meets a new one.
 */

/** What a kind of names needs from its owners. */
export interface NameOwners {
  /**
   * Finds out from the owner's stream whether the owner holds the name now. If not, the stream is closed for good to
   * holding the name by this claim or an older one.
   *
   * @param context in the name of the service, in the owner's organization
   */
  settle: (
    held: HeldReservation,
    name: UniqueName,
    context: CommandContext,
  ) => Promise<'holds the name' | 'closed to the claim'>;
}

/** 409: the name is held by another owner. Its kind is the field of the request that asked for it. */
export class NameTaken extends Conflict {
  readonly kind: string;

  constructor({ kind, name }: UniqueName) {
    super(`The ${kind} ${name} is taken.`, { json: { [kind]: ['Is taken.'] } });
    this.kind = kind;
  }
}

const TRIES = 5;
const SHARED = { shared: true };
/** Reservations belong to no organization. */
const SERVICE = { organizationId: '' };

/** Id of the aggregate of a name: streams have no room for every character and length of a name. */
export const reservationId = ({ kind, name }: UniqueName): string =>
  `${kind}_${createHash('sha256').update(name).digest('hex')}`;

/** How a name is reserved now. */
export const lookUpReservation = (handle: Handle, name: UniqueName): Promise<Reservation> =>
  handle.load(reservationId(name), reservationDecider, SERVICE, SHARED);

/**
 * Claims a name for an owner of the context's organization, before the owner's stream says that it
 * holds it. Whatever the owner does with the claim, nothing has to be undone: a claim that is not
 * used gives way to the next claimant.
 *
 * @returns the number of the claim
 * @throws NameTaken
 * @throws Conflict others claimed the name every time
 */
export const claimName =
  (handle: Handle, { settle }: NameOwners) =>
  async (name: UniqueName, ownerId: string, context: CommandContext): Promise<number> => {
    const id = reservationId(name);
    const owner: Owner = { id: ownerId, organizationId: context.organizationId };
    for (let tries = 0; tries < TRIES; tries++) {
      const seen = await lookUpReservation(handle, name);
      if (seen.status === 'held' && seen.ownerId !== ownerId) {
        if ((await settle(seen, name, closing(seen, name, context))) === 'holds the name') throw new NameTaken(name);
      }
      try {
        await handle(
          id,
          reservationDecider,
          (reservation) => reserveName(reservation, name, owner, seen.claim),
          step(context, `claim ${(seen.claim + 1).toString()} of ${name.kind} ${name.name} for ${ownerId}`),
          SHARED,
        );
        return seen.claim + 1;
      } catch (error) {
        if (!(error instanceof ReservationMoved)) throw error;
      }
    }
    throw new Conflict(`The ${name.kind} ${name.name} is being taken by others. Please try again.`, {
      json: { [name.kind]: ['Is being taken by others.'] },
    });
  };

/** In which an owner's stream is closed to a claim, by whoever takes the name over. */
const closing = (
  { ownerId, organizationId, claim }: HeldReservation,
  { kind, name }: UniqueName,
  context: CommandContext,
): CommandContext =>
  commandContext({
    actor: systemActor('reservations'),
    organizationId,
    correlationId: context.correlationId,
    commandId: derivedUuid(`${context.commandId}/close ${ownerId} to claim ${claim.toString()} of ${kind} ${name}`),
    repeatable: context.repeatable,
    now: context.now,
    appended: context.appended,
  });

/**
 * Gives back a name that an owner held by a claim until now, or by any claim where the owner is gone
 * for good (`claim` null).
 */
export const giveNameBack =
  (handle: Handle) =>
  async (name: UniqueName, ownerId: string, claim: number | null, context: CommandContext): Promise<void> => {
    await handle(
      reservationId(name),
      reservationDecider,
      (reservation) => releaseName(reservation, name, ownerId, claim),
      step(context, `release of ${name.kind} ${name.name} by ${ownerId}`),
      SHARED,
    );
  };
