import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { abandonCheck } from '../../domain/check/decide.ts';
import { abandonRestoration } from '../../domain/check/restore.ts';
import { checkDecider } from '../../domain/check/state.ts';
import { ConcurrentChange, DomainError } from '../../domain/errors.ts';
import { createKeyedMutex } from '../../domain/concurrency/mutex.ts';
import { intervalLimitError, planLimitError, limitsOf } from '../../domain/organization/limits.ts';
import type { Plans } from '../../domain/organization/plans.ts';
import { existing, organizationDecider } from '../../domain/organization/state.ts';
import type { Plan, PlanLimits } from '../../domain/organization/subscription-events.ts';
import { abandonPage } from '../../domain/page/decide.ts';
import { pageDecider } from '../../domain/page/state.ts';
import type { QuotaKind } from '../../domain/quota/events.ts';
import { claimSlot, QuotaSlotLost, quotaDecider, quotaId, releaseSlot, type Quota } from '../../domain/quota/quota.ts';
import { retried } from '../../domain/concurrency/retried.ts';
import { systemActor } from '../../domain/system-event.ts';
import { commandContext, type CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';

/*
 * Quotas: a plan limits how many checks and pages an organization has. A read model counts them, but can lag behind. So
 * a command first claims a slot in the stream `quota-{organization}_{kind}`, and then creates the check or page. A
 * claim is open until the read model has counted its resource. The counted resources and the open claims together never
 * exceed the limit. When the limit is reached, a command closes the open claims of commands that are dead or slow: it
 * closes the streams that they were about to create, which frees their slots.
 *
 * Restoring a deleted check needs a slot, too. The stream of the check exists already, so the claim has a separate name
 * (`restorationClaim`). The claim is open while the check is deleted. To close it, an event is appended to the stream
 * of the check, which makes the restoration conflict.
 *
 * Slots need no clean-up. A deletion frees a slot when the read model counts the deletion. Resources that were created
 * without a claim, because the plan had no limit then, are counted as well.
 */

/** The number of resources of a kind in an organization, according to the read model. */
export interface UsageCount {
  count: number;
  /** Position of the newest event that is included. */
  position: number;
  /** Number of plan changes of the organization that are included. */
  planChanges: number;
  /** Positions of the creation events of the requested ids. Ids that do not exist are absent. */
  created: ReadonlyMap<string, number>;
}

/** The read model that counts resources. */
export interface QuotaUsage {
  counted: (kind: QuotaKind, organizationId: string, ids: readonly string[]) => Promise<UsageCount>;
  /**
   * Resolves when `counted` includes all events that were appended before the call.
   *
   * @throws an error if the read model lags too far behind
   */
  caughtUp: () => Promise<void>;
}

export interface QuotaDependencies {
  handle: Handle;
  plans: Plans;
  usage: QuotaUsage;
  /** Waits. Tests replace it. */
  pause?: (milliseconds: number) => Promise<unknown>;
}

/** A limit that applies to an organization. */
interface Limit {
  plan: Plan;
  limit: number;
  planChanges: number;
}

/** Maximum number of attempts of a command that loses its slot or conflicts. */
const TRIES = 5;
/**
 * If an organization has more open claims than this, a command closes unused claims even if the quota is not used up.
 */
const MAX_OPEN = 20;
/** Pauses before claims are closed, in milliseconds. During the pauses, other claimants can still use their claims. */
const PATIENCE_MS = [20, 50, 100, 200, 300];

const RESTORES = '/restored';

/** Returns the name of a claim for restoring a check. */
export const restorationClaim = (checkId: string): string => `${checkId}${RESTORES}`;

/** Returns the resource that a claim is for. */
const claimedBy = (claim: string): { id: string; restores: boolean } =>
  claim.endsWith(RESTORES) ? { id: claim.slice(0, -RESTORES.length), restores: true } : { id: claim, restores: false };

/**
 * Repeats a creation, with a new id, if another claimant has closed the stream of the first id.
 *
 * @throws QuotaSlotLost
 */
const untilNotLost = <T>(create: () => Promise<T>): Promise<T> =>
  retried(create, { tries: TRIES, retryOn: (error) => error instanceof QuotaSlotLost });

/** Enforces the quotas of plans, and serialises creations within this process. */
export const createQuotas = ({ handle, plans, usage, pause = sleep }: QuotaDependencies) => {
  const inTurn = createKeyedMutex();
  /** Whether the read model has caught up since the start. Before that, its counts can be outdated. */
  let hasCaughtUp = false;

  /** Returns a limit of the organization's plan, or null if the plan has no such limit. */
  const limitOn = async (what: keyof PlanLimits, context: CommandContext): Promise<Limit | null> => {
    if (plans.all.every(({ limits }) => limits[what] === null)) return null;
    const organization = existing(await handle.load(context.organizationId, organizationDecider, context));
    const { plan, limits } = limitsOf(organization, plans);
    const limit = limits[what];
    return limit === null ? null : { plan, limit, planChanges: organization.planChanges };
  };

  const caughtUp = async (): Promise<void> => {
    await usage.caughtUp();
    hasCaughtUp = true;
  };

  /**
   * Creates the context of commands on the quota stream. The caller need not wait until read models contain the events
   * of these commands.
   */
  const own = ({ organizationId, correlationId, now }: CommandContext): CommandContext =>
    commandContext({
      actor: systemActor('quotas'),
      organizationId,
      correlationId,
      // The quota stream shows which claims exist, so the command id is not needed to detect repetitions.
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

  /** Settles claims. After that, the resource of each claim either exists or can no longer be created. */
  const settle = async (kind: QuotaKind, ids: readonly string[], context: CommandContext): Promise<void> => {
    const { isOpen, close } = streams[kind];
    let open = ids;
    for (const milliseconds of [0, ...PATIENCE_MS]) {
      if (open.length === 0) return;
      if (milliseconds > 0) await pause(milliseconds);
      const still = await Promise.all(open.map((id) => isOpen(id, context)));
      open = open.filter((_, index) => still[index]);
    }
    for (const id of open) await close(id, context);
  };

  /** @throws Forbidden if the limit is reached */
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
    if (!hasCaughtUp || count.position < quota.countedUpTo || count.planChanges < planChanges) {
      await caughtUp();
      count = await read();
    }
    const { created, position } = count;
    const isCounted = (claimed: string): boolean => (created.get(claimedBy(claimed).id) ?? Infinity) <= position;
    const open = ids.filter((claimed) => !isCounted(claimed));
    if (count.count + open.length < limit && open.length <= MAX_OPEN) {
      return claimSlot(of, id, ids.filter(isCounted), position);
    }
    // Skip claims on the check that this command restores, because the command itself appends to the check's stream.
    const others = open.filter((claimed) => claimedBy(claimed).id !== claimedBy(id).id);
    await settle(kind, others, context);
    await caughtUp();
    count = await read();
    if (count.count >= limit) throw planLimitError(plan, kind, limit);
    return claimSlot(of, id, ids, count.position);
  };

  const claim = async (kind: QuotaKind, id: string, limit: Limit, context: CommandContext): Promise<void> => {
    const quota = quotaId({ organizationId: context.organizationId, kind });
    await retried(
      () => handle(quota, quotaDecider, (state) => decideClaim(state, kind, id, limit, context), own(context)),
      { tries: TRIES, retryOn: (error) => error instanceof ConcurrentChange },
    );
  };

  /** Releases a claim. If that fails, another claimant settles it later. */
  const giveUp = async (kind: QuotaKind, id: string, context: CommandContext): Promise<void> => {
    const of = { organizationId: context.organizationId, kind };
    await handle(quotaId(of), quotaDecider, (quota) => releaseSlot(quota, of, id), own(context)).catch(() => undefined);
  };

  /**
   * Runs a creation within the quota. `create` must call `take` with the new id after all validation, and before it
   * appends to the stream of that id. If `create` throws QuotaSlotLost, it is called again and must use another id. A
   * restoration calls `take` with its {@link restorationClaim}, in each decision.
   *
   * @throws Forbidden if the limit is reached
   */
  const taking = async <T>(
    kind: QuotaKind,
    context: CommandContext,
    create: (take: (id: string) => Promise<void>) => Promise<T>,
  ): Promise<T> => {
    if ((await limitOn(kind, context)) === null) return untilNotLost(() => create(async () => undefined));
    // Run in sequence, so that commands of one process do not close each other's claims.
    return inTurn(`${kind} ${context.organizationId}`, async () => {
      const claimed: { id?: string } = {};
      const take = async (id: string): Promise<void> => {
        if (claimed.id !== undefined && claimed.id !== id) await giveUp(kind, claimed.id, context);
        delete claimed.id;
        const limit = await limitOn(kind, context);
        if (limit === null) return;
        await claim(kind, id, limit, context);
        claimed.id = id;
      };
      return untilNotLost(async () => {
        try {
          return await create(take);
        } catch (error) {
          // After an error that is not a DomainError, the resource might exist, so its claim stays open.
          if (claimed.id !== undefined && error instanceof DomainError) await giveUp(kind, claimed.id, context);
          throw error;
        }
      });
    });
  };

  /** Refuses an interval, in seconds, that is shorter than the plan allows. @throws Forbidden */
  const requireInterval = async (seconds: number, context: CommandContext): Promise<void> => {
    const limit = await limitOn('shortest_interval', context);
    if (limit !== null && seconds < limit.limit) throw intervalLimitError(limit.plan, limit.limit);
  };

  return { taking, requireInterval };
};

export type PlanQuotas = ReturnType<typeof createQuotas>;
