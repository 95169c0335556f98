import { evaluateRule, type RuleDeletion } from '../../domain/alert/evaluation.ts';
import { factsOf, firstHourOf, type RuleState } from '../../domain/alert/rule-state.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { ruleInputs, type RuleInputsDocument } from '../../projections/rule-inputs/projection.ts';
import type { AlertRuleDocument } from '../../projections/alert-rules/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { countWaitingChanges } from '../engine/changes.ts';
import type { ReactorDefinition } from '../engine/define.ts';
import { retryItemAt, done, type ItemResult } from '../engine/item-result.ts';
import { ItemFlow } from '../engine/flow.ts';
import { retrySoonIfLagging } from '../engine/lagging-lists.ts';
import { changeList, type ListItem, type TodoProjection } from '../engine/lists.ts';
import { UnreadTracker } from '../engine/unread.ts';
import type { ItemContext, Round, LeaseContext, Work } from '../engine/work.ts';
import { readChangedChecks } from './changed-checks.ts';
import { FOLLOWED_COLLECTIONS, RuleCache, type JudgementReads } from './rule-cache.ts';
import { ALERT_RULES, applyJudgement, type RuleJudgement } from './apply-judgement.ts';
import { createUptimeWindows } from './uptime-windows.ts';

/**
 * Number of alerts that fire or are resolved concurrently. Many, because a mass outage fires thousands of alerts, and
 * concurrent commands are committed together.
 */
const AT_ONCE = 64;
/** Number of rules whose inputs are read in one query. */
const PAGE = 200;
/** Delay before a rule is evaluated again after another process has already performed its action. */
const ELSEWHERE_MS = 1_000;

export interface JudgeDependencies extends Pick<CommandDependencies, 'handle'>, JudgementReads {}

/**
 * Evaluates alert rules, and fires and resolves alerts accordingly (docs/reference/alert-rules.md#judged-runs). Each
 * evaluation uses only the present state, so it includes changes made while no service was running. A process that
 * takes over the lease first evaluates every rule.
 */
export const ruleJudgements: ReactorDefinition = {
  name: ALERT_RULES,
  does: 'evaluates alert rules: fires alerts and resolves them',
  countsEarlier: true,
  follows: [
    { projection: ruleInputs, collections: ['rule_inputs'] },
    ...FOLLOWED_COLLECTIONS.map(({ projection, collections }) => ({ projection, collections })),
  ],
  waiting: (read) => countWaitingChanges(changeList(read(ruleInputs).rule_inputs), { changedAt: ({ at }) => at }),
  begin: (context) => {
    const unread = createUnreadLists();
    const lists = combineLists(context, unread);
    return { name: ALERT_RULES, countsEarlier: true, todo: lists, work: createJudgeWork(context, lists, unread) };
  },
};

/** One tracker per followed list, by the name of its projection. A tracker knows whether the list must be read. */
export type UnreadLists = ReadonlyMap<string, UnreadTracker>;

export const createUnreadLists = (): UnreadLists =>
  new Map(
    [ruleInputs, ...FOLLOWED_COLLECTIONS.map(({ projection }) => projection)].map(({ name }) => [
      name,
      new UnreadTracker(),
    ]),
  );

/**
 * Combines the followed lists into one list. The position of the combined list is the position of `rule_inputs`, in the
 * results log.
 */
export const combineLists = ({ todo }: Pick<JudgementReads, 'todo'>, unread: UnreadLists): TodoProjection => {
  const inputs = todo(ruleInputs, 'rule_inputs');
  const followed = FOLLOWED_COLLECTIONS.map(({ projection, collections }) => todo(projection, ...collections));
  const all = [inputs, ...followed];
  const names = [ruleInputs.name, ...FOLLOWED_COLLECTIONS.map(({ projection }) => projection.name)];
  return {
    position: () => (all.some((one) => one.position() === null) ? null : inputs.position()),
    folded: inputs.folded,
    passed: inputs.passed,
    watch: (written) => {
      const ends = all.map((one, index) =>
        one.watch((everything) => {
          unread.get(names[index] ?? '')?.written(everything);
          written(everything);
        }),
      );
      return () => {
        for (const end of ends) end();
      };
    },
  };
};

/**
 * A pending action for a rule. Its `id` is the id of the rule or, for a rule by tag, of the pair of the rule and a
 * check. Its `changed_position` is not a log position, but encodes the alert's number and the kind of action.
 */
type Act = ListItem;

const KINDS = { none: 0, fire: 0, resolve: 1, end: 2 } as const;

const actOf = ({ known: { id, current }, judgement }: RuleJudgement): Act => {
  const number = judgement.act === 'fire' ? judgement.number : (current?.number ?? 0);
  return { id, changed_position: number * 3 + KINDS[judgement.act] };
};

/** Returns a copy of a rule by tag that targets a single check. Other rules are returned unchanged. */
const onCheck = (rule: AlertRuleDocument | RuleDeletion, check_id: string | null): AlertRuleDocument | RuleDeletion =>
  typeof rule === 'string' || rule.check_id === check_id ? rule : { ...rule, check_id };

/** @param unread trackers of the lists, so that a round reads only lists written since the previous round */
export const createJudgeWork = (dependencies: JudgeDependencies, lists: TodoProjection, unread: UnreadLists): Work => {
  const { read } = dependencies;
  const standings = dependencies.todo(alerts);
  const known = new RuleCache(dependencies);
  const windows = createUptimeWindows(read);
  const { rule_inputs: inputsOf } = read(ruleInputs);
  /** Pending actions, by the id of their rule or pair. */
  const wanted = new Map<string, Act>();
  /** Time of the next evaluation of a rule whose result can change without a new event, in milliseconds since 1970. */
  const again = new Map<string, number>();
  /**
   * Log positions of actions that the list of alerts might not show yet, by rule. A rule is not evaluated before the
   * list has passed the position of its action.
   */
  const awaited = new Map<string, number>();
  let lease: LeaseContext | null = null;
  let loaded = false;
  let handled = 0;
  /** Clock time of the previous round, in milliseconds since 1970. */
  let seenAt = 0;
  const checkpoint = () => ({ activated: 0, handled });

  /** Returns the check that a rule is evaluated on. Null if the rule is unknown, deleted, or targets no check. */
  const checkOf = (id: string): string | null => known.rule(id)?.check_id ?? null;

  const judgeRule = async (
    id: string,
    inputs: RuleInputsDocument | null,
    now: number,
  ): Promise<RuleJudgement | null> => {
    const found = known.rule(id);
    if (!found?.rule) return null;
    const { current, check_id } = found;
    const rule = onCheck(found.rule, check_id);
    const check = check_id === null ? null : known.checks.get(check_id);
    const quiet = check_id !== null && known.checks.isSuppressed(check_id);
    const state: RuleState = { rule, check, inputs, newestAlert: current, quiet, now };
    const from = firstHourOf(state);
    const facts = factsOf(state, from, from && inputs?.hour ? await windows(inputs.id, from, inputs.hour) : null);
    return { known: found, check, facts, regions: inputs?.regions ?? [], judgement: evaluateRule(facts) };
  };

  const note = (id: string, judged: RuleJudgement | null): void => {
    again.delete(id);
    wanted.delete(id);
    if (!judged) return;
    if (judged.judgement.again !== null) again.set(id, judged.judgement.again);
    if (judged.judgement.act !== 'none') wanted.set(id, actOf(judged));
  };

  const judgePage = async (ids: readonly string[], now: number): Promise<void> => {
    const checkIds = [...new Set(ids.map(checkOf))].filter((id) => id !== null);
    const inputs = new Map((await inputsOf.getMany(checkIds)).map((document) => [document.id, document]));
    for (const id of ids) note(id, await judgeRule(id, inputs.get(checkOf(id) ?? '') ?? null, now));
  };

  /** Evaluates the rules that are marked for evaluation. @returns the ids of these rules */
  const judgeDirty = async (now: number): Promise<string[]> => {
    const folded = standings.folded();
    const ids = [...known.dirty].filter((id) => (awaited.get(id) ?? 0) <= folded);
    for (let first = 0; first < ids.length; first += PAGE) {
      const page = ids.slice(first, first + PAGE);
      // Unmark the rules before the evaluation, so that changes during it mark them again.
      for (const id of page) {
        known.dirty.delete(id);
        awaited.delete(id);
      }
      await judgePage(page, now).catch((error: unknown) => {
        for (const id of page) known.dirty.add(id);
        throw error;
      });
    }
    return ids;
  };

  /** Evaluates a rule again, and performs its action if the evaluation still requires it. */
  const act = async (action: Act, context: ItemContext): Promise<ItemResult> => {
    const now = millisecondsOf(context.now);
    const checkId = checkOf(action.id);
    const judged = await judgeRule(action.id, checkId === null ? null : await inputsOf.get(checkId), now);
    if (!judged || actOf(judged).changed_position !== action.changed_position) return done();
    const position = await applyJudgement(dependencies, judged, context.now);
    if (position === 0) return retryItemAt(now + ELSEWHERE_MS);
    awaited.set(action.id, position);
    return done();
  };

  const flow = new ItemFlow<Act>(ALERT_RULES, act, {
    atOnce: AT_ONCE,
    keepsAll: false,
    ended: ({ id }) => {
      known.dirty.add(id);
      lease?.wake();
    },
  });

  const begin = async (ids: readonly string[], now: number): Promise<void> => {
    const find = async (heldIds: readonly string[]) => heldIds.flatMap((id) => wanted.get(id) ?? []);
    let goesOn = await flow.retryDue(now, find);
    for (const id of ids) {
      const item = wanted.get(id);
      goesOn &&= !item || (await flow.offer(item));
      if (!goesOn) known.dirty.add(id);
    }
  };

  const look = async (now: number): Promise<Round> => {
    // Wait until all lists have caught up with their logs, because a lagging list shows a past state.
    if (lists.position() === null) return { next: null, checkpoint: checkpoint() };
    const rest = flow.pausedUntil(now);
    if (rest !== null) return { next: rest, checkpoint: checkpoint() };
    // Start the read before taking the position. Documents written after this position are not read below, so they must
    // stay marked as unread.
    const inputs = unread.get(ruleInputs.name);
    const read = inputs?.isUnread ? inputs.startRead() : null;
    const folded = lists.folded();
    if (!loaded) {
      await known.load();
      loaded = true;
      handled = folded;
    }
    await known.follow(unread);
    if (read) {
      for await (const check of readChangedChecks(inputsOf, handled, folded)) known.touchCheck(check);
      read();
    }
    // If the clock was set back, all stored times are too late, so evaluate these rules now.
    for (const [id, at] of again) if (at <= now || now < seenAt) known.dirty.add(id);
    seenAt = now;
    const judged = await judgeDirty(now);
    handled = folded;
    await begin(judged, now);
    const times = [...again.values(), flow.nextRetry(now), flow.pausedUntil(now)].filter((time) => time !== null);
    return { next: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)), checkpoint: checkpoint() };
  };

  return {
    begin: async (begun) => {
      lease = begun;
      loaded = false;
      handled = begun.checkpoint.handled;
      for (const map of [wanted, again, awaited]) map.clear();
      for (const one of unread.values()) one.reset();
      await flow.begin(begun);
    },
    // Nothing to do, because `combineLists` passes the writes of each list to the tracker of that list.
    written: () => undefined,
    round: (now) => retrySoonIfLagging(look(now), now, checkpoint),
    idle: async () => {
      await flow.idle();
      return checkpoint();
    },
  };
};
