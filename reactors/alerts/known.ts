import type { Gone } from '../../domain/alert/judge.ts';
import type { AlertRuleDocument } from '../../projections/alert-rules/documents.ts';
import { alertRules } from '../../projections/alert-rules/projection.ts';
import type { AlertStandingDocument } from '../../projections/alerts/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import { judgedChecks } from '../../projections/judged-checks/projection.ts';
import { quietTagId } from '../../projections/quiet-checks/documents.ts';
import { quietChecks } from '../../projections/quiet-checks/projection.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { Followed } from '../engine/define.ts';
import type { ListItem, TodoProjection } from '../engine/lists.ts';
import type { Unread } from '../engine/unread.ts';
import { KnownChecks, type CheckReads } from './known-checks.ts';
import { changedDocuments, checksWithTag, pagesOf } from './pages.ts';
import { checkIdOf, ofPairs, ruleIdOf, TagRules, type KnownRule } from './tag-rules.ts';

/** What the judge reads. */
export interface JudgeReads extends CheckReads {
  todo: (projection: AnyProjection, ...collections: string[]) => TodoProjection;
}

/** The read models of the main log whose changes can change a judgement, and the collections that do. */
export const FOLLOWED: readonly Followed[] = [
  { projection: alertRules, collections: ['alert_rules', 'removed_alert_rules', 'deleted_checks'] },
  { projection: alerts, collections: ['alert_standings'] },
  { projection: judgedChecks, collections: ['judged_checks', 'judged_groups'] },
  { projection: quietChecks, collections: ['quiet_checks', 'quiet_tags'] },
];

/**
 * All rules with what their judgement needs of the main log, in memory: which of them a change concerns must be known
 * at two thousand results a second. It is read whole once, and from then on follows the read models.
 */
export class Known {
  readonly #reads: JudgeReads;
  /** rules by their ids; those by tag are judged by pairs, and stand here for alerts that they had of one check */
  readonly #rules = new Map<string, KnownRule>();
  readonly #rulesOf = new Map<string, Set<string>>();
  readonly #byTag: TagRules;
  /** those that rules are about */
  readonly checks: KnownChecks;
  /** up to where each read model was followed, by name */
  readonly #followed = new Map<string, number>();
  /** rules, and pairs of rules and checks, that have to be judged */
  readonly dirty = new Set<string>();

  constructor(reads: JudgeReads) {
    this.#reads = reads;
    this.checks = new KnownChecks(reads, {
      wants: (id, tags) => this.#rulesOf.has(id) || this.#byTag.names(tags),
      touch: (id) => {
        this.touchCheck(id);
      },
      retagged: (id, tags) => {
        this.#byTag.checkThere(id);
        this.#byTag.touchCheck(id, tags);
      },
    });
    this.#byTag = new TagRules({
      rule: (id) => this.#rules.get(id)?.rule ?? null,
      carries: (checkId, tag) => this.checks.withTag(tag).has(checkId),
      touch: (pair) => {
        this.dirty.add(pair);
      },
    });
  }

  /** @param id a rule, or a pair of a rule by tag and a check */
  rule(id: string): KnownRule | undefined {
    return checkIdOf(id) === null ? this.#rules.get(id) : this.#byTag.get(id);
  }

  /** The results of a check have changed. */
  touchCheck(id: string): void {
    for (const rule of this.#rulesOf.get(id) ?? []) this.dirty.add(rule);
    this.#byTag.touchCheck(id, this.checks.tagsOf(id));
  }

  /** Reads everything, and has everything judged. */
  async load(): Promise<void> {
    const { read, todo } = this.#reads;
    for (const known of [this.#rules, this.#rulesOf, this.#byTag, this.checks, this.dirty]) known.clear();
    // What changes while this reads is seen again afterwards.
    for (const { projection } of FOLLOWED) this.#followed.set(projection.name, todo(projection).folded());
    const { alert_rules } = read(alertRules);
    for await (const rules of pagesOf(alert_rules)) await this.#rulesAre(rules);
    const active = { status: { $in: ['firing', 'acknowledged'] } };
    for await (const standings of pagesOf(read(alerts).alert_standings, active)) await this.#standingsAre(standings);
    // What was deleted while nobody judged ends the alerts of rules by tag.
    const missing = this.#byTag.activeChecks().filter((id) => !this.checks.has(id));
    const deleted = missing.length === 0 ? [] : await read(alertRules).deleted_checks.getMany(missing);
    await this.#checksRemoved(deleted);
  }

  /**
   * Takes over what has changed since.
   *
   * @param unread says by their names which read models were written since they were last followed
   */
  async follow(unread: ReadonlyMap<string, Unread>): Promise<void> {
    const { read, todo } = this.#reads;
    const lists = FOLLOWED.filter(({ projection }) => unread.get(projection.name)?.isUnread);
    if (lists.length === 0) return;
    const reads = lists.map(({ projection }) => unread.get(projection.name)?.reading());
    const folded = new Map(lists.map(({ projection }) => [projection.name, todo(projection).folded()]));
    const changed = <D extends ListItem>({ name }: AnyProjection, reader: CollectionReader<D>) =>
      changedDocuments(reader, this.#followed.get(name) ?? 0, folded.get(name) ?? 0);
    const { alert_rules, removed_alert_rules, deleted_checks } = read(alertRules);
    for await (const rules of changed(alertRules, alert_rules)) await this.#rulesAre(rules);
    for await (const removed of changed(alertRules, removed_alert_rules)) this.#removed(removed);
    for await (const some of changed(alerts, read(alerts).alert_standings)) await this.#standingsAre(some);
    const { judged_checks, judged_groups } = read(judgedChecks);
    for await (const some of changed(judgedChecks, judged_checks))
      await this.checks.are(some.filter(this.#mayBeWanted));
    for await (const some of changed(judgedChecks, judged_groups)) this.checks.groupsAre(some);
    const { quiet_checks, quiet_tags } = read(quietChecks);
    for await (const some of changed(quietChecks, quiet_checks)) {
      this.checks.quietAre(some.filter(({ id }) => this.checks.has(id)));
    }
    for await (const some of changed(quietChecks, quiet_tags)) this.checks.quietTagsAre(some);
    if (this.#byTag.isUsed) {
      for await (const some of changed(alertRules, deleted_checks)) await this.#checksRemoved(some);
    }
    for (const [name, position] of folded) this.#followed.set(name, position);
    for (const read of reads) read?.();
  }

  /** Whether rules may be about a check, whose tags are not known yet. */
  readonly #mayBeWanted = ({ id, organization_id }: { id: string; organization_id: string }): boolean =>
    this.#rulesOf.has(id) || this.#byTag.concerns(organization_id);

  async #rulesAre(rules: readonly AlertRuleDocument[]): Promise<void> {
    const fresh = rules.filter(({ id }) => !this.#rules.has(id)).map(({ id }) => id);
    for (const rule of rules) {
      const { id, organization_id, check_id } = rule;
      const known = this.#rules.get(id);
      if (known && known.check_id !== check_id) this.#unlink(known);
      this.#rules.set(id, { id, organization_id, check_id, standing: known?.standing ?? null, rule });
      if (check_id !== null) this.#rulesOf.set(check_id, (this.#rulesOf.get(check_id) ?? new Set()).add(id));
      this.dirty.add(id);
    }
    if (fresh.length > 0) await this.#standingsAre(await this.#reads.read(alerts).alert_standings.getMany(fresh));
    for (const rule of rules) await this.#tagIs(rule);
    await this.checks.watch(rules.flatMap(({ check_id }) => check_id ?? []));
  }

  /** Takes over by which tag a rule is, if it is by one, and has it judged on all checks that it is and was about. */
  async #tagIs(rule: AlertRuleDocument): Promise<void> {
    const { id, organization_id, tag, changed_position } = rule;
    const wasByTag = this.#byTag.has(id);
    if (tag === null && !wasByTag) return;
    const before = this.#byTag.tagOf(id);
    if (tag === null) this.#byTag.unlink(rule);
    else if (this.#byTag.link(rule, tag)) {
      const tagged = this.#reads.readAfter(changed_position)(checks).check_tags;
      await this.checks.watch(await checksWithTag(tagged, organization_id, tag));
      if (!wasByTag) {
        const { alert_standings } = this.#reads.read(alerts);
        for await (const some of pagesOf(alert_standings, ofPairs(id))) await this.#standingsAre(some);
      }
    }
    this.#byTag.touchRule(id, tag === null ? [] : this.checks.withTag(quietTagId(organization_id, tag)));
    if (before !== null && before !== this.#byTag.tagOf(id)) this.#forgetUnwanted(before);
  }

  /** Forgets the checks with a tag that no rule is about any more. */
  #forgetUnwanted(tag: string): void {
    for (const checkId of [...this.checks.withTag(tag)]) this.checks.forgetUnwanted(checkId);
  }

  #removed(removed: readonly { id: string; organization_id: string; because: Gone }[]): void {
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

  /** Lets go of checks that were deleted; one that was restored since may be known already, as it is now. */
  async #checksRemoved(deleted: readonly ListItem[]): Promise<void> {
    if (deleted.length === 0) return;
    const there = await this.#reads.read(judgedChecks).judged_checks.getMany(deleted.map(({ id }) => id));
    const changedAt = new Map(there.map(({ id, changed_position }) => [id, changed_position]));
    for (const { id, changed_position } of deleted) {
      if ((changedAt.get(id) ?? 0) < changed_position) this.#checkRemoved(id);
    }
  }

  #checkRemoved(id: string): void {
    this.#byTag.checkRemoved(id);
    this.checks.forget(id);
  }

  async #standingsAre(standings: readonly AlertStandingDocument[]): Promise<void> {
    const strays: string[] = [];
    for (const standing of standings) {
      const { id, organization_id } = standing;
      if (checkIdOf(id) !== null) {
        if (!this.#byTag.has(ruleIdOf(id)) && standing.status !== 'resolved') strays.push(ruleIdOf(id));
        this.#byTag.stands(id, standing);
        continue;
      }
      const known = this.#rules.get(id);
      if ((known?.standing?.changed_position ?? -1) >= standing.changed_position) continue;
      // Alerts that the service raises about itself have no rule.
      if (!known && (standing.status === 'resolved' || standing.check_id === null)) continue;
      if (!known) strays.push(id);
      this.#rules.set(id, {
        id,
        organization_id,
        rule: known?.rule ?? null,
        check_id: known?.check_id ?? null,
        standing,
      });
      this.dirty.add(id);
      this.#forgetIfOver(id);
    }
    // Active alerts of rules that are gone, or whose list is behind.
    if (strays.length === 0) return;
    const ids = [...new Set(strays)];
    this.#removed(await this.#reads.read(alertRules).removed_alert_rules.getMany(ids));
  }

  /** A rule is no longer about its check. */
  #unlink({ id, check_id }: KnownRule): void {
    if (check_id === null) return;
    const rules = this.#rulesOf.get(check_id);
    rules?.delete(id);
    if (rules?.size !== 0) return;
    this.#rulesOf.delete(check_id);
    this.checks.forgetUnwanted(check_id);
  }

  /** Of a rule that is gone nothing is kept once its alert is resolved. */
  #forgetIfOver(id: string): void {
    const known = this.#rules.get(id);
    if (typeof known?.rule !== 'string' || (known.standing && known.standing.status !== 'resolved')) return;
    this.#rules.delete(id);
    this.dirty.delete(id);
  }
}
