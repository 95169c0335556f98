import {
  ClaimLost,
  holdsName,
  NAME_KINDS,
  numberedSubdomain,
  reservedName,
  type NameKind,
} from '../../domain/page/names.ts';
import { abandonName } from '../../domain/page/decide.ts';
import { pageDecider, type ActivePage, type Page } from '../../domain/page/state.ts';
import type { UniqueName } from '../../domain/reservation/decide.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';
import { lookUpReservation, NameTaken, type NameOwners } from './reservations.ts';
import { uniqueNames } from './unique-names.ts';

/** Number of suffixes that are tried one by one (`acme-2`, `acme-3`, …), before a search with larger steps. */
const NUMBERS_IN_ORDER = 32;

/**
 * Settles the claims of other pages ({@link NameOwners}). The service is the actor, in the organization of the page
 * that made the claim.
 */
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

/** Keeps the subdomains and domains of pages unique in the service. */
export const createPageNames = (handle: Handle) => {
  const names = uniqueNames(handle, { owners: owners(handle), isLost: (error) => error instanceof ClaimLost });

  /**
   * Runs a command that claims several names. Commands of this process that claim the same name run one after another.
   */
  const inOrder = <T>(wanted: readonly UniqueName[], command: () => Promise<T>): Promise<T> =>
    // All commands lock in the same order of kinds, to avoid deadlocks.
    NAME_KINDS.flatMap((kind) => wanted.filter((name) => name.kind === kind)).reduceRight<() => Promise<T>>(
      (then, name) => () => names.inOrder(name, then),
      command,
    )();

  /** Tests whether a page holds the name. Does not append anything. */
  const isHeld = async (kind: NameKind, name: string): Promise<boolean> => {
    const reservation = await lookUpReservation(handle, { kind, name });
    if (reservation.status !== 'held') return false;
    const page = await handle.load(reservation.ownerId, pageDecider, reservation);
    return page.status === 'active' && holdsName(page, kind, name);
  };

  /**
   * Claims the first free name of `base`, `base-2`, `base-3` …. If very many of these names are taken, claims a free
   * name that follows a taken one, such as `base-213` if `base-212` is taken.
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
        return { subdomain, claim: await names.claim({ kind: 'subdomain', name: subdomain }, pageId, context) };
      } catch (error) {
        if (!(error instanceof NameTaken)) throw error;
      }
    }
  };

  /** Releases the names that a page reserved before a change and no longer uses. */
  const releaseOld = async (before: ActivePage, after: ActivePage, context: CommandContext): Promise<void> => {
    for (const kind of NAME_KINDS) {
      const name = reservedName(kind, before.fields);
      const used = before.claims[kind];
      if (name === null || used === undefined || holdsName(after, kind, name)) continue;
      await names.release({ kind, name }, before.id, used, context);
    }
  };

  return { ...names, claimSubdomain, releaseOld, inOrder };
};

/**
 * Finds a free number that follows a taken one, by exponential and binary search. If the taken numbers have no gaps,
 * this is the first free number.
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
