import type { RuleDeletion } from '../../domain/alert/evaluation.ts';
import type { AlertRuleDocument } from '../../projections/alert-rules/documents.ts';
import { alertRules } from '../../projections/alert-rules/projection.ts';
import type { NewestAlertDocument } from '../../projections/alerts/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import { judgedChecks } from '../../projections/judged-checks/projection.ts';
import { suppressedTagId } from '../../projections/quiet-checks/documents.ts';
import { quietChecks } from '../../projections/quiet-checks/projection.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { FollowedCollections } from '../engine/define.ts';
import type { ListItem, TodoProjection } from '../engine/lists.ts';
import type { UnreadTracker } from '../engine/unread.ts';
import { CheckCache, type CheckReads } from './check-cache.ts';
import { readChangedDocuments, readIdsOfChecksWithTag, readInPages } from './paged-reads.ts';
import { checkIdOf, wherePairsOf, ruleIdOf, TagRules, type CachedRule } from './tag-rules.ts';

/** Readers and lists for the evaluation of rules. */
export interface JudgementReads extends CheckReads {
  todo: (projection: AnyProjection, ...collections: string[]) => TodoProjection;
}

/**
 * Read models of the main log that the evaluation of rules depends on, with the collections that the evaluation reads.
 * A change in one of these collections can change the result of an evaluation.
 */
export const FOLLOWED_COLLECTIONS: readonly FollowedCollections[] = [
  { projection: alertRules, collections: ['alert_rules', 'removed_alert_rules', 'deleted_checks'] },
  { projection: alerts, collections: ['alert_standings'] },
  { projection: judgedChecks, collections: ['judged_checks', 'judged_groups'] },
  { projection: quietChecks, collections: ['quiet_checks', 'quiet_tags'] },
];

/**
 * In-memory copy of all rules, and of the data from the main log that their evaluation needs. Because it is in memory,
 * the rules for a result can be looked up at 2,000 results per second. `load` reads everything once, and `follow` then
 * applies the changes of the read models.
 */
export class RuleCache {
  readonly #reads: JudgementReads;
  /**
   * All rules by id. A rule by tag is evaluated per pair with a check (see `TagRules`). It is also listed here, because
   * it might have targeted a single check before and might still have an alert from that time.
   */
  readonly #rules = new Map<string, CachedRule>();
  readonly #rulesOf = new Map<string, Set<string>>();
  readonly #byTag: TagRules;
  /** The checks that rules target. */
  readonly checks: CheckCache;
  /** Position up to which the changes of a read model were applied, by the name of the read model. */
  readonly #followed = new Map<string, number>();
  /** Ids of rules, and of pairs of a rule and a check, that must be evaluated. */
  readonly dirty = new Set<string>();

  constructor(reads: JudgementReads) {
    this.#reads = reads;
    this.checks = new CheckCache(reads, {
      wants: (id, tags) => this.#rulesOf.has(id) || this.#byTag.targetsAnyOf(tags),
      touch: (id) => {
        this.touchCheck(id);
      },
      retagged: (id, tags) => {
        this.#byTag.checkRestored(id);
        this.#byTag.touchCheck(id, tags);
      },
    });
    this.#byTag = new TagRules({
      rule: (id) => this.#rules.get(id)?.rule ?? null,
      hasTag: (checkId, tag) => this.checks.withTag(tag).has(checkId),
      touch: (pair) => {
        this.dirty.add(pair);
      },
    });
  }

  /** @param id the id of a rule, or of the pair of a rule by tag and a check */
  rule(id: string): CachedRule | undefined {
    return checkIdOf(id) === null ? this.#rules.get(id) : this.#byTag.get(id);
  }

  /** Marks all rules that target a check for evaluation. */
  touchCheck(id: string): void {
    for (const rule of this.#rulesOf.get(id) ?? []) this.dirty.add(rule);
    this.#byTag.touchCheck(id, this.checks.tagsOf(id));
  }

  /** Reads everything, and marks every rule for evaluation. */
  async load(): Promise<void> {
    const { read, todo } = this.#reads;
    for (const known of [this.#rules, this.#rulesOf, this.#byTag, this.checks, this.dirty]) known.clear();
    // Take the positions before reading, so that `follow` applies changes made during this read.
    for (const { projection } of FOLLOWED_COLLECTIONS) this.#followed.set(projection.name, todo(projection).folded());
    const { alert_rules } = read(alertRules);
    for await (const rules of readInPages(alert_rules)) await this.#rulesAre(rules);
    const active = { status: { $in: ['firing', 'acknowledged'] } };
    for await (const standings of readInPages(read(alerts).alert_standings, active))
      await this.#standingsAre(standings);
    // End the active alerts of rules by tag for checks that were deleted while no process evaluated rules.
    const missing = this.#byTag.activeChecks().filter((id) => !this.checks.has(id));
    const deleted = missing.length === 0 ? [] : await read(alertRules).deleted_checks.getMany(missing);
    await this.#checksRemoved(deleted);
  }

  /**
   * Applies the changes since the previous call.
   *
   * @param unread trackers by the name of the read model; only unread read models are read
   */
  async follow(unread: ReadonlyMap<string, UnreadTracker>): Promise<void> {
    const { read, todo } = this.#reads;
    const lists = FOLLOWED_COLLECTIONS.filter(({ projection }) => unread.get(projection.name)?.isUnread);
    if (lists.length === 0) return;
    const reads = lists.map(({ projection }) => unread.get(projection.name)?.startRead());
    const folded = new Map(lists.map(({ projection }) => [projection.name, todo(projection).folded()]));
    const changed = <D extends ListItem>({ name }: AnyProjection, reader: CollectionReader<D>) =>
      readChangedDocuments(reader, this.#followed.get(name) ?? 0, folded.get(name) ?? 0);
    const { alert_rules, removed_alert_rules, deleted_checks } = read(alertRules);
    for await (const rules of changed(alertRules, alert_rules)) await this.#rulesAre(rules);
    for await (const removed of changed(alertRules, removed_alert_rules)) this.#removed(removed);
    for await (const some of changed(alerts, read(alerts).alert_standings)) await this.#standingsAre(some);
    const { judged_checks, judged_groups } = read(judgedChecks);
    for await (const some of changed(judgedChecks, judged_checks))
      await this.checks.update(some.filter(this.#mayBeWanted));
    for await (const some of changed(judgedChecks, judged_groups)) this.checks.updateGroups(some);
    const { quiet_checks, quiet_tags } = read(quietChecks);
    for await (const some of changed(quietChecks, quiet_checks)) {
      this.checks.updateSuppressedChecks(some.filter(({ id }) => this.checks.has(id)));
    }
    for await (const some of changed(quietChecks, quiet_tags)) this.checks.updateSuppressedTags(some);
    if (this.#byTag.isUsed) {
      for await (const some of changed(alertRules, deleted_checks)) await this.#checksRemoved(some);
    }
    for (const [name, position] of folded) this.#followed.set(name, position);
    for (const read of reads) read?.();
  }

  /** Returns whether a rule might target a check whose tags are not known yet. */
  readonly #mayBeWanted = ({ id, organization_id }: { id: string; organization_id: string }): boolean =>
    this.#rulesOf.has(id) || this.#byTag.hasRulesOf(organization_id);

  async #rulesAre(rules: readonly AlertRuleDocument[]): Promise<void> {
    const fresh = rules.filter(({ id }) => !this.#rules.has(id)).map(({ id }) => id);
    for (const rule of rules) {
      const { id, organization_id, check_id } = rule;
      const known = this.#rules.get(id);
      if (known && known.check_id !== check_id) this.#unlink(known);
      this.#rules.set(id, { id, organization_id, check_id, current: known?.current ?? null, rule });
      if (check_id !== null) this.#rulesOf.set(check_id, (this.#rulesOf.get(check_id) ?? new Set()).add(id));
      this.dirty.add(id);
    }
    if (fresh.length > 0) await this.#standingsAre(await this.#reads.read(alerts).alert_standings.getMany(fresh));
    for (const rule of rules) await this.#tagIs(rule);
    await this.checks.watch(rules.flatMap(({ check_id }) => check_id ?? []));
  }

  /**
   * Updates the tag of a rule, if the rule targets a tag. Marks the rule for evaluation on all checks that it targets
   * or has targeted.
   */
  async #tagIs(rule: AlertRuleDocument): Promise<void> {
    const { id, organization_id, tag, changed_position } = rule;
    const wasByTag = this.#byTag.has(id);
    if (tag === null && !wasByTag) return;
    const before = this.#byTag.tagOf(id);
    if (tag === null) this.#byTag.unlink(rule);
    else if (this.#byTag.link(rule, tag)) {
      const tagged = this.#reads.readAfter(changed_position)(checks).check_tags;
      await this.checks.watch(await readIdsOfChecksWithTag(tagged, organization_id, tag));
      if (!wasByTag) {
        const { alert_standings } = this.#reads.read(alerts);
        for await (const some of readInPages(alert_standings, wherePairsOf(id))) await this.#standingsAre(some);
      }
    }
    this.#byTag.touchRule(id, tag === null ? [] : this.checks.withTag(suppressedTagId(organization_id, tag)));
    if (before !== null && before !== this.#byTag.tagOf(id)) this.#forgetUnwanted(before);
  }

  /** If no rule targets a tag any more, forgets the checks that have this tag and that no other rule targets. */
  #forgetUnwanted(tag: string): void {
    for (const checkId of [...this.checks.withTag(tag)]) this.checks.forgetUnwanted(checkId);
  }

  #removed(removed: readonly { id: string; organization_id: string; because: RuleDeletion }[]): void {
    for (const { id, organization_id, because } of removed) {
      const tag = this.#byTag.tagOf(id);
      this.#byTag.ruleRemoved({ id, organization_id }, because);
      if (tag !== null) this.#forgetUnwanted(tag);
      const known = this.#rules.get(id);
      if (!known) continue;
      this.#unlink(known);
      this.#rules.set(id, { ...known, rule: because, check_id: null });
      this.dirty.add(id);
      this.#forgetIfOver(id);
    }
  }

  /** Forgets deleted checks, except those restored after their deletion. */
  async #checksRemoved(deleted: readonly ListItem[]): Promise<void> {
    if (deleted.length === 0) return;
    const existing = await this.#reads.read(judgedChecks).judged_checks.getMany(deleted.map(({ id }) => id));
    const changedAt = new Map(existing.map(({ id, changed_position }) => [id, changed_position]));
    for (const { id, changed_position } of deleted) {
      if ((changedAt.get(id) ?? 0) < changed_position) this.#checkRemoved(id);
    }
  }

  #checkRemoved(id: string): void {
    this.#byTag.checkRemoved(id);
    this.checks.forget(id);
  }

  async #standingsAre(standings: readonly NewestAlertDocument[]): Promise<void> {
    const strays: string[] = [];
    for (const newest of standings) {
      const { id, organization_id } = newest;
      if (checkIdOf(id) !== null) {
        if (!this.#byTag.has(ruleIdOf(id)) && newest.status !== 'resolved') strays.push(ruleIdOf(id));
        this.#byTag.updateAlert(id, newest);
        continue;
      }
      const known = this.#rules.get(id);
      if ((known?.current?.changed_position ?? -1) >= newest.changed_position) continue;
      // Skip alerts without a check: the service raises them about itself, without a rule.
      if (!known && (newest.status === 'resolved' || newest.check_id === null)) continue;
      if (!known) strays.push(id);
      this.#rules.set(id, {
        id,
        organization_id,
        rule: known?.rule ?? null,
        check_id: known?.check_id ?? null,
        current: newest,
      });
      this.dirty.add(id);
      this.#forgetIfOver(id);
    }
    // No rule is known for these active alerts: the rule was deleted, or the list of rules lags. So read whether the
    // rules were deleted.
    if (strays.length === 0) return;
    const ids = [...new Set(strays)];
    this.#removed(await this.#reads.read(alertRules).removed_alert_rules.getMany(ids));
  }

  /** Unlinks a rule from its check. */
  #unlink({ id, check_id }: CachedRule): void {
    if (check_id === null) return;
    const rules = this.#rulesOf.get(check_id);
    rules?.delete(id);
    if (rules?.size !== 0) return;
    this.#rulesOf.delete(check_id);
    this.checks.forgetUnwanted(check_id);
  }

  /** Forgets a rule if it is deleted and has no active alert. */
  #forgetIfOver(id: string): void {
    const known = this.#rules.get(id);
    if (typeof known?.rule !== 'string' || (known.current && known.current.status !== 'resolved')) return;
    this.#rules.delete(id);
    this.dirty.delete(id);
  }
}
