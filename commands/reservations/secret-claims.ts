import { setTimeout as sleep } from 'node:timers/promises';
import type { EventOf } from '../../domain/catalogue.ts';
import type { SecretBinding } from '../../domain/check/events.ts';
import { bindingTo, closeClaim, isClosedTo } from '../../domain/check/secrets.ts';
import { checkDecider, isLive, type Check, type DeletedCheck } from '../../domain/check/state.ts';
import { Invalid, NotFound } from '../../domain/errors.ts';
import { claimSecret, releaseClaim } from '../../domain/secret/decide.ts';
import type { BindingInput } from '../../domain/secret/input.ts';
import { secretDecider } from '../../domain/secret/state.ts';
import { systemActor } from '../../domain/system-event.ts';
import { commandContext, derivedId, derivedUuid, step, type CommandContext } from '../engine/context.ts';
import { findOwn } from '../engine/find-own.ts';
import type { Handle } from '../engine/handle.ts';

/*
 * A check that is bound to a secret keeps it from being deleted, and the two have streams of their own. So whoever
 * binds a check first appends a claim to the secret's stream, which refuses if it is deleted, and then the binding to
 * the check's. Whoever deletes a secret asks the stream of each check that has a claim: one that is bound is named in a
 * refusal; one that is not gets a moment, and then its stream is closed to the claim. Only then is the secret deleted,
 * at the revision at which those were all the claims. Of a binder that is slow and whoever deletes, the slower loses by
 * a conflict on one of the two streams; whoever dies in between leaves a claim behind that keeps nobody from anything.
 *
 * A check is released from a secret the other way round: first in its own stream, then the claim is given back. So is a
 * check that is deleted. Its restoration claims anew, so whoever deletes a secret also closes the streams of deleted
 * checks to claims that they have not used.
 */

export const NO_SUCH_SECRET = 'There is no such secret.';

/** Those who have claimed a secret get so long to use it, milliseconds each time. */
const PATIENCE = [20, 50, 100, 200, 300];

/** Looks up so many streams at once. */
const AT_ONCE = 50;

/** What became of the claims on a secret. */
export interface Settled {
  /** the checks that are bound to it, by their names */
  boundTo: string[];
  /** by check, the claims by which none is bound, nor ever will be */
  unused: ReadonlyMap<string, number>;
}

/** @param pause waits, milliseconds; injected by tests */
export const createSecretClaims = (handle: Handle, pause: (milliseconds: number) => Promise<unknown> = sleep) => {
  /** @param fieldOf the field of the request that names the nth @throws Invalid names all that are not there */
  const requireAll = async (
    secretIds: readonly string[],
    context: CommandContext,
    fieldOf: (place: number) => string,
  ): Promise<void> => {
    const states = await Promise.all(secretIds.map((id) => findOwn({ handle }, id, secretDecider, context)));
    const missing = states.flatMap((secret, place) => (secret?.status === 'live' ? [] : [fieldOf(place)]));
    if (missing.length === 0) return;
    throw new Invalid({ json: Object.fromEntries(missing.map((field) => [field, [NO_SUCH_SECRET]])) });
  };

  /**
   * Claims secrets for a check on behalf of one command. It may have to decide several times, and claims a secret once
   * for all of them, unless the check's stream was closed to that claim meanwhile.
   *
   * @throws NotFound there is no such secret
   */
  const claimingOnce = (checkId: string, context: CommandContext) => {
    const claims = new Map<string, number>();
    let made = 0;

    const claimed = async (secretId: string): Promise<number> => {
      const { events } = await handle(
        secretId,
        secretDecider,
        (secret) => claimSecret(secret, checkId),
        step(context, `claim ${(made++).toString()} of secret ${secretId} for check ${checkId}`),
      );
      return (events[0]?.data as EventOf<'SecretClaimed'>['data']).claim;
    };

    return async (check: Check, secretId: string): Promise<number> => {
      for (;;) {
        const held = claims.get(secretId);
        const isSpent = check.status !== 'abandoned' && held !== undefined && isClosedTo(check, secretId, held);
        if (held !== undefined && !isSpent) return held;
        // One that a command had made before it died may be closed as well.
        claims.set(secretId, await claimed(secretId));
      }
    };
  };

  /** The claims of one command that binds a check. */
  const claiming = (checkId: string, context: CommandContext) => {
    const claimOnce = claimingOnce(checkId, context);
    const claim = async (check: Check, secretId: string, field: string): Promise<number> => {
      try {
        return await claimOnce(check, secretId);
      } catch (error) {
        throw error instanceof NotFound ? Invalid.field(field, NO_SUCH_SECRET) : error;
      }
    };

    /**
     * Bindings as the check's stream is to hold them. One that is there already stays as it is; a secret that is read
     * through another variable from now on keeps its claim.
     *
     * @param fieldOf the field of the request that names the secret of the nth
     * @throws Invalid a secret is not there
     */
    return async (
      check: Check,
      wanted: readonly BindingInput[],
      fieldOf: (place: number) => string,
    ): Promise<SecretBinding[]> => {
      const known = wanted.map(({ secret_id }) => bindingTo(check, secret_id));
      const isNew = (place: number): boolean => known[place] === undefined;
      const places = [...wanted.keys()].filter(isNew);
      const ids = places.map((place) => wanted[place]?.secret_id ?? '');
      await requireAll(ids, context, (n) => fieldOf(places[n] ?? 0));
      const bindings: SecretBinding[] = [];
      for (const [place, { secret_id, env_variable }] of wanted.entries()) {
        const binding = known[place];
        if (binding?.env_variable === env_variable) {
          bindings.push(binding);
          continue;
        }
        const id = derivedId(`${context.commandId}/binding of ${checkId} to ${secret_id} as ${env_variable}`);
        const number = binding?.claim ?? (await claim(check, secret_id, fieldOf(place)));
        bindings.push({ id, secret_id, env_variable, claim: number });
      }
      return bindings;
    };
  };

  /** The bindings with which a deleted check comes back: those whose secrets are still there, each by a new claim. */
  const restoring = (checkId: string, context: CommandContext) => {
    const claimOnce = claimingOnce(checkId, context);
    const claimAgain = async (check: DeletedCheck, binding: SecretBinding): Promise<SecretBinding[]> => {
      try {
        return [{ ...binding, claim: await claimOnce(check, binding.secret_id) }];
      } catch (error) {
        if (error instanceof NotFound) return [];
        throw error;
      }
    };
    return async (check: DeletedCheck): Promise<SecretBinding[]> => {
      const bindings: SecretBinding[] = [];
      for (const binding of check.was.secrets) bindings.push(...(await claimAgain(check, binding)));
      return bindings;
    };
  };

  /** Gives back the claims by which a check was bound until now. */
  const release = async (checkId: string, ended: readonly SecretBinding[], context: CommandContext): Promise<void> => {
    for (const { secret_id, claim } of ended) {
      await handle(
        secret_id,
        secretDecider,
        (secret) => releaseClaim(secret, checkId, claim),
        step(context, `release of secret ${secret_id} by check ${checkId}`),
      );
    }
  };

  /** Closes a check's stream to a claim that it has not used. @returns the check, which is bound if it was faster */
  const close = async (secretId: string, checkId: string, claim: number, context: CommandContext): Promise<Check> => {
    const { organizationId, correlationId, commandId, repeatable, now, appended } = context;
    const closing = commandContext({
      actor: systemActor('secrets'),
      organizationId,
      correlationId,
      commandId: derivedUuid(`${commandId}/close ${checkId} to claim ${claim.toString()} of secret ${secretId}`),
      repeatable,
      now,
      appended,
    });
    const { state } = await handle(
      checkId,
      checkDecider,
      (check) => closeClaim(check, checkId, secretId, claim),
      closing,
    );
    return state;
  };

  /** Afterwards each of these claims is used, or never will be. */
  const settle = async (
    secretId: string,
    claims: ReadonlyMap<string, number>,
    context: CommandContext,
  ): Promise<Settled> => {
    const boundTo: string[] = [];
    const unused = new Map<string, number>();
    /** Notes what a check says. @returns whether it may still come to use the claim */
    const isOpen = (checkId: string, claim: number, check: Check): boolean => {
      if (isLive(check) && bindingTo(check, secretId)) boundTo.push(check.settings.name);
      else if (isClosedTo(check, secretId, claim)) unused.set(checkId, claim);
      else return true;
      return false;
    };
    let open = [...claims];
    for (const milliseconds of [0, ...PATIENCE]) {
      if (open.length === 0) break;
      if (milliseconds > 0) await pause(milliseconds);
      const still: typeof open = [];
      for (let from = 0; from < open.length; from += AT_ONCE) {
        const some = open.slice(from, from + AT_ONCE);
        const checks = await Promise.all(some.map(([id]) => handle.load(id, checkDecider, context)));
        still.push(...some.filter(([id, claim], n) => isOpen(id, claim, checks[n] ?? { status: 'absent' })));
      }
      open = still;
    }
    for (const [checkId, claim] of open) isOpen(checkId, claim, await close(secretId, checkId, claim, context));
    return { boundTo, unused };
  };

  return { claiming, restoring, release, settle };
};

export type SecretClaims = ReturnType<typeof createSecretClaims>;
