import { canAfford, CreditLimitExceeded, type Credits, type ChargedRun } from '../../domain/credits/credits.ts';
import { creditPeriodOf } from '../../domain/credits/period.ts';
import { limitsOf, type PlanHolder } from '../../domain/organization/limits.ts';
import type { Plans } from '../../domain/organization/plans.ts';
import type { OrganizationEvent } from '../../domain/organization/events.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Clock } from '../../network/clock.ts';

/** How often the spending of other processes is read, in milliseconds. */
const REFRESH_MS = 10_000;
/** Pause before another attempt to read the limits after a failure, in milliseconds. */
const RETRY_MS = 1_000;

/** The read models of organizations and results, as the tally needs them. */
export interface CreditSource {
  /** Returns the plan and the credit limit of each organization, by id, as of `position` in the main log or later. */
  entitled: () => Promise<{ position: bigint; organizations: ReadonlyMap<string, PlanHolder> }>;
  /** Returns the credits that an organization's results have used in the month of an instant. */
  used: (organizationId: string, at: Instant) => Promise<number>;
}

export interface CreditsDependencies {
  source: CreditSource;
  /** contains the limits of organizations without a subscription */
  plans: Pick<Plans, 'default'>;
  /** the main log */
  log: Pick<EventStore, 'subscribe'>;
  clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  /** Called if something could not be read. The read is repeated. */
  trouble?: (error: unknown) => void;
}

export interface CreditsTally extends Credits {
  /**
   * Resolves after the first attempt to read limits and usage, so that a restart does not reset them. If they cannot be
   * read, for example during the first build of a read model, checks run without limits until a later attempt succeeds.
   */
  readonly tried: Promise<void>;
  /** Rejects if the log could not be followed. */
  readonly ended: Promise<void>;
  stop: () => Promise<void>;
}

/** The credits of an organization with a limit. */
interface Account {
  limit: number;
  /** first instant of the month that is counted */
  month: Instant;
  /** credits that had been used when the results were last read */
  used: number;
  /** `used`, plus the credits of the runs that this process has started since `used` was read */
  spent: number;
}

/** A run in one region that has not ended. */
interface Open {
  organizationId: string;
  month: Instant;
  credits: number;
  /** when the run counts as ended, by the monotonic clock */
  until: number;
}

/** Returns the changed plan or credit limit in an event; null if the event changes neither. */
const entitlementIn = (event: OrganizationEvent): Partial<PlanHolder> | null => {
  switch (event.type) {
    case 'OrganizationCreated':
      return {};
    case 'OrganizationCreditLimitChanged':
      return { creditLimit: event.data.changes.credit_limit };
    case 'SubscriptionStarted':
      return { subscription: { plan: event.data.plan } };
    case 'SubscriptionEnded':
      return { subscription: null };
    default:
      return null;
  }
};

/**
 * Tracks how many credits organizations have left. The results log is the source of truth: each result contains its
 * cost. The tally adds to these costs the cost of started runs without a result, so that a process never starts more
 * runs than the credits cover. Runs of other processes are counted within ten seconds of their results. Organizations
 * without a limit are not counted, and starting a run reads nothing.
 */
export const createCreditsTally = ({ source, plans, log, clock, trouble }: CreditsDependencies): CreditsTally => {
  const entitled = new Map<string, PlanHolder>();
  const accounts = new Map<string, Account>();
  const open = new Map<string, Open>();
  const stopping = new AbortController();
  let cancelTimer = (): void => undefined;
  let hasTried = (): void => undefined;
  const tried = new Promise<void>((resolve) => {
    hasTried = resolve;
  });

  let month = creditPeriodOf(instantOf(clock.now()));
  let [from, to] = [millisecondsOf(month.start), millisecondsOf(month.end)];

  /** This is called for each due run. Therefore, it formats a date only when the month changes. */
  const monthNow = (): Instant => {
    const now = clock.now();
    if (now < from || now >= to) {
      month = creditPeriodOf(instantOf(now));
      [from, to] = [millisecondsOf(month.start), millisecondsOf(month.end)];
    }
    return month.start;
  };

  /**
   * Returns the account for the current month. A run that is in progress when the month changes counts in the new
   * month.
   */
  const accountOf = (organizationId: string): Account | undefined => {
    const account = accounts.get(organizationId);
    const present = account && monthNow();
    if (!present || account.month === present) return account;
    const own = [...open.values()].filter((run) => run.organizationId === organizationId);
    for (const run of own) run.month = present;
    const renewed = { ...account, month: present, used: 0, spent: own.reduce((sum, { credits }) => sum + credits, 0) };
    accounts.set(organizationId, renewed);
    return renewed;
  };

  const spentBy = ({ spent, used }: Account): number => Math.max(spent, used);

  const giveBack = (key: string, { organizationId, month, credits }: Open): void => {
    open.delete(key);
    const account = accountOf(organizationId);
    if (account?.month === month) account.spent -= credits;
  };

  /** Reads the used credits of an organization. @returns whether they could be read */
  const lookUp = async (organizationId: string): Promise<boolean> => {
    const at = instantOf(clock.now());
    try {
      const used = await source.used(organizationId, at);
      const account = accountOf(organizationId);
      if (account?.month === creditPeriodOf(at).start) account.used = used;
      return true;
    } catch (error) {
      trouble?.(error);
      return false;
    }
  };

  const entitle = (organizationId: string, changes: Partial<PlanHolder>): void => {
    const now = { subscription: null, creditLimit: null, ...entitled.get(organizationId), ...changes };
    entitled.set(organizationId, now);
    const limit = limitsOf(now, plans).limits.credits;
    const account = accounts.get(organizationId);
    if (limit === null) accounts.delete(organizationId);
    else if (account) account.limit = limit;
    else accounts.set(organizationId, { limit, month: monthNow(), used: 0, spent: 0 });
  };

  const refresh = async (): Promise<void> => {
    cancelTimer();
    for (const [key, run] of open) if (run.until < clock.monotonic()) giveBack(key, run);
    let known = true;
    for (const organizationId of accounts.keys()) known = (await lookUp(organizationId)) && known;
    cancelTimer();
    if (!stopping.signal.aborted) cancelTimer = clock.after(known ? REFRESH_MS : RETRY_MS, () => void refresh());
  };

  /**
   * Loads the limits of all organizations.
   *
   * @returns the position of the main log; null if the tally was stopped meanwhile
   */
  const load = async (): Promise<bigint | null> => {
    while (!stopping.signal.aborted) {
      try {
        const { position, organizations } = await source.entitled();
        for (const [organizationId, known] of organizations) entitle(organizationId, known);
        return position;
      } catch (error) {
        trouble?.(error);
        hasTried();
        await new Promise<void>((resolve) => {
          const cancel = clock.after(RETRY_MS, resolve);
          cancelTimer = () => {
            cancel();
            resolve();
          };
        });
      }
    }
    return null;
  };

  const follow = async (): Promise<void> => {
    const position = await load();
    if (position === null) return;
    await refresh();
    hasTried();
    const { signal } = stopping;
    for await (const events of log.subscribe({ after: position, categories: ['organization'], signal })) {
      for (const event of events as unknown as OrganizationEvent[]) {
        const changes = entitlementIn(event);
        if (!changes) continue;
        const { organization_id: organizationId } = event.data;
        entitle(organizationId, changes);
        if (accounts.has(organizationId)) await lookUp(organizationId);
      }
    }
  };

  const ended = follow().finally(hasTried);
  // Prevents an unhandled rejection if no caller awaits `ended`. Callers that await it still get the error.
  ended.catch(() => undefined);

  const keyOf = (runId: string, region: string): string => `${runId} ${region}`;

  return {
    ended,
    tried,

    canPay: (organizationId, credits) => {
      const account = accountOf(organizationId);
      return !account || canAfford(account.limit, spentBy(account), credits);
    },

    charge: ({ run_id, organization_id: organizationId, regions, each, until }: ChargedRun) => {
      const account = accountOf(organizationId);
      if (!account) return;
      const keys = regions.map((region) => keyOf(run_id, region)).filter((key) => !open.has(key));
      const spent = spentBy(account);
      if (!canAfford(account.limit, spent, keys.length * each)) throw new CreditLimitExceeded();
      account.spent = spent + keys.length * each;
      // Use the monotonic clock: reserved credits must be released even if the wall clock is set back.
      const reservedUntil = clock.monotonic() + until - clock.now();
      for (const key of keys)
        open.set(key, { organizationId, month: account.month, credits: each, until: reservedUntil });
    },

    settle: (runId, region, outcome) => {
      const key = keyOf(runId, region);
      const run = open.get(key);
      if (!run) return;
      if (outcome === 'none') giveBack(key, run);
      else open.delete(key);
    },

    stop: async () => {
      stopping.abort();
      cancelTimer();
      await ended.catch(() => undefined);
    },
  };
};
