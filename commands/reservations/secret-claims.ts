import { setTimeout as sleep } from 'node:timers/promises';
import type { EventOf } from '../../domain/event-types.ts';
import type { SecretBinding } from '../../domain/check/events.ts';
import { bindingTo, closeClaim, isClosedTo } from '../../domain/check/secrets.ts';
import { checkDecider, isLive, type Check, type DeletedCheck } from '../../domain/check/state.ts';
import { Invalid, NotFound } from '../../domain/errors.ts';
import { claimSecret, releaseClaim } from '../../domain/secret/decide.ts';
import type { BindingInput } from '../../domain/secret/input.ts';
import { secretDecider } from '../../domain/secret/state.ts';
import { systemActor } from '../../domain/system-event.ts';
import { commandContext, derivedId, derivedUuid, stepContext, type CommandContext } from '../engine/context.ts';
import { findOwn } from '../engine/organization-stream.ts';
import type { Handle } from '../engine/handle.ts';

/*
 * A secret can't be deleted while checks are bound to it. Secret and check have separate streams, so binding takes two
 * steps. First, a claim is appended to the secret's stream, which fails if the secret is deleted. Then, the binding is
 * appended to the check's stream. The deletion of a secret loads every check with a claim. If a check is bound, the
 * deletion is refused with the name of the check. If not, the check gets a short time to bind, and then its stream is
 * closed to the claim. After that, the secret is deleted, at the revision at which its claims were read. If a slow
 * binding and a deletion race, one of them gets a conflict. If a process dies after the claim, the claim does not
 * prevent deletion.
 *
 * To unbind a secret, or to delete a check, the event is appended to the check's stream first, and then the claim is
 * released. The restoration of a check claims its secrets again. So the deletion of a secret also closes the streams of
 * deleted checks to unused claims.
 */

export const NO_SUCH_SECRET = 'There is no such secret.';

/** Pauses before claims are closed, in milliseconds. During the pauses, claimants can still use their claims. */
const PATIENCE_MS = [20, 50, 100, 200, 300];
/** Number of streams that are loaded concurrently. */
const CONCURRENT_LOADS = 50;
/** The outcome of settling the claims on a secret. */
export interface SettledClaims {
  /** Names of the checks that are bound to the secret. */
  boundTo: string[];
  /** Numbers of the claims that are unused and were closed, by check id. */
  unused: ReadonlyMap<string, number>;
}

/** @param pause waits; tests replace it */
export const createSecretClaims = (handle: Handle, pause: (milliseconds: number) => Promise<unknown> = sleep) => {
  /** @param fieldOf returns the request field of the nth secret @throws Invalid with all secrets that do not exist */
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
   * Creates a function that claims secrets for a check on behalf of one command. If conflicts make the command decide
   * several times, a secret is claimed only once, unless the check's stream was closed to the claim in between.
   *
   * @throws NotFound if the secret does not exist
   */
  const claimingOnce = (checkId: string, context: CommandContext) => {
    const claims = new Map<string, number>();
    let made = 0;

    const claimed = async (secretId: string): Promise<number> => {
      const { events } = await handle(
        secretId,
        secretDecider,
        (secret) => claimSecret(secret, checkId),
        stepContext(context, `claim ${made++} of secret ${secretId} for check ${checkId}`),
      );
      return (events[0]?.data as EventOf<'SecretClaimed'>['data']).claim;
    };

    return async (check: Check, secretId: string): Promise<number> => {
      for (;;) {
        const known = claims.get(secretId);
        const isClosed = check.status !== 'abandoned' && known !== undefined && isClosedTo(check, secretId, known);
        if (known !== undefined && !isClosed) return known;
        // A repeated command gets its earlier claim again. That claim might be closed as well, so the loop tests it
        // too.
        claims.set(secretId, await claimed(secretId));
      }
    };
  };

  /** Creates a function that claims secrets for one command that binds a check. */
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
     * Returns the bindings to append to the check's stream. Existing bindings are returned unchanged. If only the
     * variable of a binding changes, its claim stays the same.
     *
     * @param fieldOf returns the request field with the secret of the nth binding
     * @throws Invalid if a secret does not exist
     */
    return async (
      check: Check,
      wanted: readonly BindingInput[],
      fieldOf: (place: number) => string,
    ): Promise<SecretBinding[]> => {
      const known = wanted.map(({ secret_id }) => bindingTo(check, secret_id));
      const isNew = (index: number): boolean => known[index] === undefined;
      const indexes = [...wanted.keys()].filter(isNew);
      const ids = indexes.map((index) => wanted[index]?.secret_id ?? '');
      await requireAll(ids, context, (n) => fieldOf(indexes[n] ?? 0));
      const bindings: SecretBinding[] = [];
      for (const [index, { secret_id, env_variable }] of wanted.entries()) {
        const binding = known[index];
        if (binding?.env_variable === env_variable) {
          bindings.push(binding);
          continue;
        }
        const id = derivedId(`${context.commandId}/binding of ${checkId} to ${secret_id} as ${env_variable}`);
        const number = binding?.claim ?? (await claim(check, secret_id, fieldOf(index)));
        bindings.push({ id, secret_id, env_variable, claim: number });
      }
      return bindings;
    };
  };

  /**
   * Returns the bindings of a check that is restored. Each gets a new claim. Bindings to deleted secrets are dropped.
   */
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

  /** Releases the claims of ended bindings. */
  const release = async (checkId: string, ended: readonly SecretBinding[], context: CommandContext): Promise<void> => {
    for (const { secret_id, claim } of ended) {
      await handle(
        secret_id,
        secretDecider,
        (secret) => releaseClaim(secret, checkId, claim),
        stepContext(context, `release of secret ${secret_id} by check ${checkId}`),
      );
    }
  };

  /**
   * Closes a check's stream to an unused claim.
   *
   * @returns the check, which is bound if it used the claim before the stream was closed
   */
  const close = async (secretId: string, checkId: string, claim: number, context: CommandContext): Promise<Check> => {
    const { organizationId, correlationId, commandId, repeatable, now, appended } = context;
    const closing = commandContext({
      actor: systemActor('secrets'),
      organizationId,
      correlationId,
      commandId: derivedUuid(`${commandId}/close ${checkId} to claim ${claim} of secret ${secretId}`),
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

  /** Settles claims. After that, each claim is either used or closed. */
  const settle = async (
    secretId: string,
    claims: ReadonlyMap<string, number>,
    context: CommandContext,
  ): Promise<SettledClaims> => {
    const boundTo: string[] = [];
    const unused = new Map<string, number>();
    /** Records the outcome for a check. @returns whether the check can still use the claim */
    const isOpen = (checkId: string, claim: number, check: Check): boolean => {
      if (isLive(check) && bindingTo(check, secretId)) boundTo.push(check.settings.name);
      else if (isClosedTo(check, secretId, claim)) unused.set(checkId, claim);
      else return true;
      return false;
    };
    let open = [...claims];
    for (const milliseconds of [0, ...PATIENCE_MS]) {
      if (open.length === 0) break;
      if (milliseconds > 0) await pause(milliseconds);
      const still: typeof open = [];
      for (let from = 0; from < open.length; from += CONCURRENT_LOADS) {
        const some = open.slice(from, from + CONCURRENT_LOADS);
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
