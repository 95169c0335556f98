import { setTimeout as sleep } from 'node:timers/promises';
import {
  ClaimLost,
  holdsName,
  NAME_KINDS,
  numberedSubdomain,
  reservedName,
  type NameKind,
} from '../../domain/page/names.ts';
import { createKeyedMutex } from '../../domain/mutex.ts';
import { abandonName } from '../../domain/page/decide.ts';
import { pageDecider, type ActivePage, type Page } from '../../domain/page/state.ts';
import type { UniqueName } from '../../domain/reservation/decide.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';
import { claimName, giveNameBack, lookUpReservation, NameTaken, type NameOwners } from './reservations.ts';

const TRIES = 5;

/** How many numbers of a derived subdomain are tried one by one before larger steps are made. */
const NUMBERS_IN_ORDER = 32;

/** Closes another page's stream to a claim, in the name of the service and of that page's organization. */
const owners = (handle: Handle): NameOwners => ({
  settle: async (held, { kind, name }, context) => {
    const nameKind = kind as NameKind;
    const holds = (page: Page): boolean => page.status === 'active' && holdsName(page, nameKind, name);
    const { state } = await handle(
      held.ownerId,
      pageDecider,
      (page) => abandonName(page, held.ownerId, nameKind, name, held.claim),
      context,
    );
    return holds(state) ? 'holds the name' : 'closed to the claim';
  },
});

/** Keeps the unique names of pages: their claims, and the order of commands of this process that want the same one. */
export const createPageNames = (handle: Handle) => {
  const inTurn = createKeyedMutex();
  const claim = claimName(handle, owners(handle));
  const giveBack = giveNameBack(handle);

  /**
   * Runs a command that wants names. Commands of one process that want the same name run one after another; otherwise
   * the second would take the name from the first, which is only slow.
   */
  const waitingFor = <T>(names: readonly UniqueName[], command: () => Promise<T>): Promise<T> =>
    // All lock in the same order of kinds, so that no two wait for each other.
    NAME_KINDS.flatMap((kind) => names.filter((name) => name.kind === kind)).reduceRight<() => Promise<T>>(
      (then, { kind, name }) =>
        () =>
          inTurn(`${kind} ${name}`, then),
      command,
    )();

  /** Runs a command again while another process takes away what it claimed. @throws Conflict */
  const untilClaimsHold = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ClaimLost) || tries === TRIES) throw error;
        await sleep(20 * tries * Math.random());
      }
    }
  };

  /** Whether a page holds the name; claims nothing and closes nothing. */
  const isHeld = async (kind: NameKind, name: string): Promise<boolean> => {
    const reservation = await lookUpReservation(handle, { kind, name });
    if (reservation.status !== 'held') return false;
    const page = await handle.load(reservation.ownerId, pageDecider, reservation);
    return page.status === 'active' && holdsName(page, kind, name);
  };

  /**
   * Claims the first free one of `base`, `base-2`, `base-3` …; where very many are taken, a free one after a taken one.
   */
  const claimSubdomain = async (
    base: string,
    pageId: string,
    context: CommandContext,
  ): Promise<{ subdomain: string; claim: number }> => {
    for (let n = 1; ; n++) {
      if (n > NUMBERS_IN_ORDER) n = await firstFreeAfter(n - 1, (m) => isHeld('subdomain', numberedSubdomain(base, m)));
      const subdomain = numberedSubdomain(base, n);
      try {
        return { subdomain, claim: await claim({ kind: 'subdomain', name: subdomain }, pageId, context) };
      } catch (error) {
        if (!(error instanceof NameTaken)) throw error;
      }
    }
  };

  /** Gives back the names that a page held before and no longer holds. */
  const giveBackOld = async (before: ActivePage, after: ActivePage, context: CommandContext): Promise<void> => {
    for (const kind of NAME_KINDS) {
      const name = reservedName(kind, before.fields);
      const used = before.claims[kind];
      if (name === null || used === undefined || holdsName(after, kind, name)) continue;
      await giveBack({ kind, name }, before.id, used, context);
    }
  };

  return { claim, claimSubdomain, giveBack, giveBackOld, waitingFor, untilClaimsHold };
};

/**
 * The first free number after a taken one, found in few looks where numbers are taken without gaps;
 * with gaps it is one of the free numbers that come after a taken one.
 */
const firstFreeAfter = async (taken: number, isTaken: (n: number) => Promise<boolean>): Promise<number> => {
  let low = taken;
  let width = 1;
  while (await isTaken(low + width)) {
    low += width;
    width *= 2;
  }
  let high = low + width;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isTaken(middle)) low = middle;
    else high = middle;
  }
  return high;
};

export type PageNames = ReturnType<typeof createPageNames>;
