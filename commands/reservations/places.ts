import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { abandonCheck } from '../../domain/check/decide.ts';
import { abandonRestoration } from '../../domain/check/restore.ts';
import { checkDecider } from '../../domain/check/state.ts';
import { ConcurrentChange, DomainError } from '../../domain/errors.ts';
import { createKeyedMutex } from '../../domain/mutex.ts';
import { intervalTooShort, limitReached, limitsOf } from '../../domain/organization/limits.ts';
import type { Plans } from '../../domain/organization/plans.ts';
import { existing, organizationDecider } from '../../domain/organization/state.ts';
import type { Plan, PlanLimits } from '../../domain/organization/subscription-events.ts';
import { abandonPage } from '../../domain/page/decide.ts';
import { pageDecider } from '../../domain/page/state.ts';
import type { QuotaKind } from '../../domain/quota/events.ts';
import { claimPlace, PlaceLost, quotaDecider, quotaId, releasePlace, type Quota } from '../../domain/quota/quota.ts';
import { systemActor } from '../../domain/system-event.ts';
import { commandContext, type CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';

/*
 * Limits of plans on how many checks and pages an organization has. A read model counts them, and may be late. So while
 * a kind is limited, whoever creates one first claims a place in the stream `quota-{organization}_{kind}`: those that
 * are counted and those that are claimed and not counted yet are never more than the limit. A claim is settled once the
 * count has passed what it was for. At the limit it is found out what became of the claims that are open: a claimant
 * that has died, or is slow, finds the stream of what it was about to create closed, and its place is taken.
 *
 * A check that is restored needs a place like a new one. Its claim has a name of its own (`restorationClaim`), since its
 * stream exists: it is open while the check is deleted, and given up by an event that lets the restoration conflict.
 *
 * Nothing has to be undone by anybody later: deleting frees a place by being counted, and what is created without a
 * claim, while nothing is limited, is counted as well.
 */

/** What the read model counts of a kind in an organization. */
export interface Count {
  count: number;
  /** of the last event in it */
  position: number;
  /** how many changes of the organization's plan have been seen */
  planChanges: number;
  /** of the ids that were asked for, those that exist, with the positions of their creation */
  created: ReadonlyMap<string, number>;
}

/** The read model, as claimants use it. */
export interface Usage {
  counted: (kind: QuotaKind, organizationId: string, ids: readonly string[]) => Promise<Count>;
  /**
   * Resolves when `counted` knows of everything that was appended before the call.
   *
   * @throws whatever says that it is late
   */
  caughtUp: () => Promise<void>;
}

export interface PlacesDependencies {
  handle: Handle;
  plans: Plans;
  usage: Usage;
  /** waits, milliseconds; injected by tests */
  pause?: (milliseconds: number) => Promise<unknown>;
}

/** A limit that holds for an organization. */
interface Limit {
  plan: Plan;
  limit: number;
  planChanges: number;
}

/** How often a claimant that lost its place, or was overtaken, tries again. */
const TRIES = 5;
/** Claims that may be open before it is found out what became of them. */
const MOST_OPEN = 20;
/** Others who have claimed a place get so long to use it, milliseconds each time. */
const PATIENCE = [20, 50, 100, 200, 300];

const RESTORES = '/restored';

/** The claim on a place by whoever restores a check. */
export const restorationClaim = (checkId: string): string => `${checkId}${RESTORES}`;

/** What a claim is for. */
const claimedBy = (claim: string): { id: string; restores: boolean } =>
  claim.endsWith(RESTORES) ? { id: claim.slice(0, -RESTORES.length), restores: true } : { id: claim, restores: false };

/** Creates something again while others close the stream of what was to be created. @throws PlaceLost */
const untilNotLost = async <T>(create: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof PlaceLost) || tries === TRIES) throw error;
    }
  }
};

/** Keeps the limits of plans when things are created, and the order of those who create them in this process. */
export const createPlaces = ({ handle, plans, usage, pause = sleep }: PlacesDependencies) => {
  const inTurn = createKeyedMutex();
  /** whether the count was once as new as the log since the start: what was limited before may differ */
  let known = false;

  /** What the organization's plan says; null: it sets no such limit. Nothing is read where no plan sets one. */
  const limitOn = async (what: keyof PlanLimits, context: CommandContext): Promise<Limit | null> => {
    if (plans.all.every(({ limits }) => limits[what] === null)) return null;
    const organization = existing(await handle.load(context.organizationId, organizationDecider, context));
    const { plan, limits } = limitsOf(organization, plans);
    const limit = limits[what];
    return limit === null ? null : { plan, limit, planChanges: organization.planChanges };
  };

  const caughtUp = async (): Promise<void> => {
    await usage.caughtUp();
    known = true;
  };

  /** Commands of the quota are no part of what the caller waits for. */
  const own = ({ organizationId, correlationId, now }: CommandContext): CommandContext =>
    commandContext({
      actor: systemActor('quotas'),
      organizationId,
      correlationId,
      // What was claimed before is known from the quota itself.
      commandId: randomUUID(),
      repeatable: false,
      now,
    });

  const streams = {
    checks: {
      isOpen: async (claim: string, context: CommandContext) => {
        const { id, restores } = claimedBy(claim);
        return (await handle.load(id, checkDecider, context)).status === (restores ? 'deleted' : 'absent');
      },
      close: (claim: string, context: CommandContext) => {
        const { id, restores } = claimedBy(claim);
        const abandon = restores ? abandonRestoration : abandonCheck;
        return handle(id, checkDecider, (check) => abandon(check, id), own(context));
      },
    },
    pages: {
      isOpen: async (id: string, context: CommandContext) =>
        (await handle.load(id, pageDecider, context)).status === 'absent',
      close: (id: string, context: CommandContext) =>
        handle(id, pageDecider, (page) => abandonPage(page, id), own(context)),
    },
  };

  /** Afterwards each was created or restored, or never will be by this claim. */
  const settle = async (kind: QuotaKind, ids: readonly string[], context: CommandContext): Promise<void> => {
    const { isOpen, close } = streams[kind];
    let open = ids;
    for (const milliseconds of [0, ...PATIENCE]) {
      if (open.length === 0) return;
      if (milliseconds > 0) await pause(milliseconds);
      const still = await Promise.all(open.map((id) => isOpen(id, context)));
      open = open.filter((_, index) => still[index]);
    }
    for (const id of open) await close(id, context);
  };

  /** @throws Forbidden there is no place */
  const decideClaim = async (
    quota: Quota,
    kind: QuotaKind,
    id: string,
    { plan, limit, planChanges }: Limit,
    context: CommandContext,
  ) => {
    if (quota.claims.has(id)) return [];
    const of = { organizationId: context.organizationId, kind };
    const ids = [...quota.claims];
    const read = () =>
      usage.counted(
        kind,
        of.organizationId,
        ids.map((claimed) => claimedBy(claimed).id),
      );
    let count = await read();
    if (!known || count.position < quota.countedUpTo || count.planChanges < planChanges) {
      await caughtUp();
      count = await read();
    }
    const { created, position } = count;
    const isCounted = (claimed: string): boolean => (created.get(claimedBy(claimed).id) ?? Infinity) <= position;
    const open = ids.filter((claimed) => !isCounted(claimed));
    if (count.count + open.length < limit && open.length <= MOST_OPEN) {
      return claimPlace(of, id, ids.filter(isCounted), position);
    }
    // The stream of what is restored is in use by this very command; its creation is long past.
    const others = open.filter((claimed) => claimedBy(claimed).id !== claimedBy(id).id);
    await settle(kind, others, context);
    await caughtUp();
    count = await read();
    if (count.count >= limit) throw limitReached(plan, kind, limit);
    return claimPlace(of, id, ids, count.position);
  };

  const claim = async (kind: QuotaKind, id: string, limit: Limit, context: CommandContext): Promise<void> => {
    const quota = quotaId({ organizationId: context.organizationId, kind });
    for (let tries = 1; ; tries++) {
      try {
        await handle(quota, quotaDecider, (state) => decideClaim(state, kind, id, limit, context), own(context));
        return;
      } catch (error) {
        if (!(error instanceof ConcurrentChange) || tries === TRIES) throw error;
      }
    }
  };

  /** One that can't be given up now is settled by others. */
  const giveUp = async (kind: QuotaKind, id: string, context: CommandContext): Promise<void> => {
    const of = { organizationId: context.organizationId, kind };
    await handle(quotaId(of), quotaDecider, (quota) => releasePlace(quota, of, id), own(context)).catch(
      () => undefined,
    );
  };

  /**
   * Runs what creates one of a kind. It calls `take` with the id before it appends anything to the stream of that id,
   * and after all that the request can be refused for; it is run again with another id when it throws PlaceLost. What
   * restores a check calls `take` with its {@link restorationClaim}, each time it decides.
   *
   * @throws Forbidden as many are there as the plan allows
   */
  const taking = async <T>(
    kind: QuotaKind,
    context: CommandContext,
    create: (take: (id: string) => Promise<void>) => Promise<T>,
  ): Promise<T> => {
    if ((await limitOn(kind, context)) === null) return untilNotLost(() => create(async () => undefined));
    // Those of one process don't take places from each other.
    return inTurn(`${kind} ${context.organizationId}`, async () => {
      const held: { id?: string } = {};
      const take = async (id: string): Promise<void> => {
        if (held.id !== undefined && held.id !== id) await giveUp(kind, held.id, context);
        delete held.id;
        const limit = await limitOn(kind, context);
        if (limit === null) return;
        await claim(kind, id, limit, context);
        held.id = id;
      };
      return untilNotLost(async () => {
        try {
          return await create(take);
        } catch (error) {
          // After any other error it may have been created.
          if (held.id !== undefined && error instanceof DomainError) await giveUp(kind, held.id, context);
          throw error;
        }
      });
    });
  };

  /** Refuses an interval that is shorter than the plan allows, seconds. @throws Forbidden */
  const requireInterval = async (seconds: number, context: CommandContext): Promise<void> => {
    const limit = await limitOn('shortest_interval', context);
    if (limit !== null && seconds < limit.limit) throw intervalTooShort(limit.plan, limit.limit);
  };

  return { taking, requireInterval };
};

export type Places = ReturnType<typeof createPlaces>;
