import { createHash } from 'node:crypto';
import { Conflict } from '../../domain/errors.ts';
import {
  releaseName,
  ReservationChanged,
  reserveName,
  type Owner,
  type UniqueName,
} from '../../domain/reservation/decide.ts';
import { reservationDecider, type ClaimedReservation, type Reservation } from '../../domain/reservation/state.ts';
import { systemActor } from '../../domain/system-event.ts';
import { commandContext, derivedUuid, stepContext, type CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';

/*
 * Names that are unique across aggregates. A claimant first appends a claim to the stream of the name,
 * `reservation-{kind}_{hash}`, and then an event to the stream of the owner, which holds the name from
 * then on. If a process dies in between, the name is reserved, but has no owner. The next claimant takes it
 * over: it first closes the owner's stream to the old claim, and then claims the name itself. If the
 * first claimant is only slow, one of the two gets a conflict on one of the two streams. Claims are
 * numbered, so that an event for an old claim never applies to a new one.
 */

/** The owners of one kind of names. */
export interface NameOwners {
  /**
   * Checks in the owner's stream whether the owner holds the name now. If not, closes the stream permanently to this
   * claim and older ones.
   *
   * @param context acts as the service, in the owner's organization
   */
  settle: (
    held: ClaimedReservation,
    name: UniqueName,
    context: CommandContext,
  ) => Promise<'holds the name' | 'closed to the claim'>;
}

/** 409: another owner holds the name. `kind` is the request field with the name. */
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

/** Id of the aggregate of a name: a hash, since stream names are limited in characters and length. */
export const reservationId = ({ kind, name }: UniqueName): string =>
  `${kind}_${createHash('sha256').update(name).digest('hex')}`;

/** The current reservation of a name. */
export const lookUpReservation = (handle: Handle, name: UniqueName): Promise<Reservation> =>
  handle.load(reservationId(name), reservationDecider, SERVICE, SHARED);

/**
 * Claims a name for an owner of the context's organization, before the owner's stream records that it
 * holds the name. An unused claim needs no clean-up: the next claimant takes the name over.
 *
 * @returns the number of the claim
 * @throws NameTaken
 * @throws Conflict if concurrent claims won every time
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
          stepContext(context, `claim ${seen.claim + 1} of ${name.kind} ${name.name} for ${ownerId}`),
          SHARED,
        );
        return seen.claim + 1;
      } catch (error) {
        if (!(error instanceof ReservationChanged)) throw error;
      }
    }
    throw new Conflict(`The ${name.kind} ${name.name} is being taken by another request. Please try again.`, {
      json: { [name.kind]: ['Is being taken by another request.'] },
    });
  };

/** The context of the command that closes the owner's stream to a claim. */
const closing = (
  { ownerId, organizationId, claim }: ClaimedReservation,
  { kind, name }: UniqueName,
  context: CommandContext,
): CommandContext =>
  commandContext({
    actor: systemActor('reservations'),
    organizationId,
    correlationId: context.correlationId,
    commandId: derivedUuid(`${context.commandId}/close ${ownerId} to claim ${claim} of ${kind} ${name}`),
    repeatable: context.repeatable,
    now: context.now,
    appended: context.appended,
  });

/**
 * Releases a name that an owner had claimed.
 *
 * @param claim the number of the claim; null if the owner was deleted: then any claim of it is released
 */
export const releaseReservedName =
  (handle: Handle) =>
  async (name: UniqueName, ownerId: string, claim: number | null, context: CommandContext): Promise<void> => {
    await handle(
      reservationId(name),
      reservationDecider,
      (reservation) => releaseName(reservation, name, ownerId, claim),
      stepContext(context, `release of ${name.kind} ${name.name} by ${ownerId}`),
      SHARED,
    );
  };
