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
 * Reservations keep names unique across aggregates. A command first appends a claim to the stream of the name,
 * `reservation-{kind}_{hash}`, and then an event to the stream of the owner, such as a page. With this event, the owner
 * holds the name. If the process dies in between, the name has a claim but no owner. The next claimant takes the name
 * over: it closes the owner's stream to the earlier claim, and then claims the name itself. If the first claimant is
 * not dead but slow, one of the two claimants gets a conflict. Claims are numbered, so that an event for an earlier
 * claim never applies to a later one.
 */

/** The owners of one kind of names. */
export interface NameOwners {
  /**
   * Reads the owner's stream to find out whether the owner holds the name. If not, closes the stream permanently to
   * this claim and earlier ones.
   *
   * @param context context of the service as the actor, in the owner's organization
   */
  settle: (
    reservation: ClaimedReservation,
    name: UniqueName,
    context: CommandContext,
  ) => Promise<'holds the name' | 'closed to the claim'>;
}

/** Error 409: another owner holds the name. `kind` is the request field with the name. */
export class NameTaken extends Conflict {
  readonly kind: string;

  constructor({ kind, name }: UniqueName) {
    super(`The ${kind} ${name} is taken.`, { json: { [kind]: ['Is taken.'] } });
    this.kind = kind;
  }
}

const TRIES = 5;
const SHARED = { shared: true };
/** The context of reservations, which belong to no organization. */
const SERVICE = { organizationId: '' };

/** Returns the id of the aggregate of a name. It is a hash, because stream names have a limited length and alphabet. */
export const reservationId = ({ kind, name }: UniqueName): string =>
  `${kind}_${createHash('sha256').update(name).digest('hex')}`;

/** Loads the current reservation of a name. */
export const lookUpReservation = (handle: Handle, name: UniqueName): Promise<Reservation> =>
  handle.load(reservationId(name), reservationDecider, SERVICE, SHARED);

/**
 * Claims a name for an owner of the context's organization. Must be called before the owner's stream records the name.
 * An unused claim needs no clean-up, because the next claimant takes the name over.
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

/** Creates the context of the command that closes the owner's stream to a claim. */
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
 * Releases a name that an owner has claimed.
 *
 * @param claim number of the claim; null to release any claim of the owner, after the owner was deleted
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
