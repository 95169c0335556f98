import type { Gone, Standing } from '../../domain/alert/judge.ts';
import type { AlertRuleDocument } from '../../projections/alert-rules/documents.ts';
import { alertRules } from '../../projections/alert-rules/projection.ts';
import type { AlertStandingDocument } from '../../projections/alerts/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import { judgedChecks } from '../../projections/judged-checks/projection.ts';
import { quietChecks } from '../../projections/quiet-checks/projection.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { Followed } from '../engine/define.ts';
import type { ListItem, TodoProjection } from '../engine/lists.ts';
import type { Unread } from '../engine/unread.ts';
import { KnownChecks, type CheckReads } from './known-checks.ts';
import { changedDocuments, pagesOf } from './pages.ts';

/** What the judge reads. */
export interface JudgeReads extends CheckReads {
  todo: (projection: AnyProjection, ...collections: string[]) => TodoProjection;
}

/** A rule, or one that is gone while its alert may still be active. */
export interface KnownRule {
  id: string;
  organization_id: string;
  /** null: it is not known yet, only its alert */
  rule: AlertRuleDocument | Gone | null;
  standing: (Standing & Pick<AlertStandingDocument, 'alert_id' | 'changed_position'>) | null;
}

/** The read models of the main log whose changes can change a judgement, and the collections that do. */
export const FOLLOWED: readonly Followed[] = [
  { projection: alertRules, collections: ['alert_rules', 'removed_alert_rules'] },
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
  readonly #rules = new Map<string, KnownRule>();
  readonly #rulesOf = new Map<string, Set<string>>();
  /** those that have rules */
  readonly checks: KnownChecks;
  /** up to where each read model was followed, by name */
  readonly #followed = new Map<string, number>();
  /** rules that have to be judged */
  readonly dirty = new Set<string>();

  constructor(reads: JudgeReads) {
    this.#reads = reads;
    this.checks = new KnownChecks(reads, (id) => {
      this.touchCheck(id);
    });
  }

  rule(id: string): KnownRule | undefined {
    return this.#rules.get(id);
  }

  /** The results of a check have changed. */
  touchCheck(id: string): void {
    for (const rule of this.#rulesOf.get(id) ?? []) this.dirty.add(rule);
  }

  /** Reads everything, and has everything judged. */
  async load(): Promise<void> {
    const { read, todo } = this.#reads;
    for (const known of [this.#rules, this.#rulesOf, this.checks, this.dirty]) known.clear();
    // What changes while this reads is seen again afterwards.
    for (const { projection } of FOLLOWED) this.#followed.set(projection.name, todo(projection).folded());
    const { alert_rules } = read(alertRules);
    for await (const rules of pagesOf(alert_rules)) await this.#rulesAre(rules);
    const active = { status: { $in: ['firing', 'acknowledged'] } };
    for await (const standings of pagesOf(read(alerts).alert_standings, active)) await this.#standingsAre(standings);
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
    const { alert_rules, removed_alert_rules } = read(alertRules);
    for await (const rules of changed(alertRules, alert_rules)) await this.#rulesAre(rules);
    for await (const removed of changed(alertRules, removed_alert_rules)) this.#removed(removed);
    for await (const some of changed(alerts, read(alerts).alert_standings)) await this.#standingsAre(some);
    const { judged_checks, judged_groups } = read(judgedChecks);
    for await (const some of changed(judgedChecks, judged_checks)) await this.checks.are(some.filter(this.#hasRules));
    for await (const some of changed(judgedChecks, judged_groups)) this.checks.groupsAre(some);
    const { quiet_checks, quiet_tags } = read(quietChecks);
    for await (const some of changed(quietChecks, quiet_checks)) this.checks.quietAre(some.filter(this.#hasRules));
    for await (const some of changed(quietChecks, quiet_tags)) this.checks.quietTagsAre(some);
    for (const [name, position] of folded) this.#followed.set(name, position);
    for (const read of reads) read?.();
  }

  readonly #hasRules = ({ id }: { id: string }): boolean => this.#rulesOf.has(id);

  async #rulesAre(rules: readonly AlertRuleDocument[]): Promise<void> {
    const isNew = ({ id }: { id: string }): boolean => !this.#rules.has(id);
    const fresh = rules.filter(isNew).map(({ id }) => id);
    for (const rule of rules) {
      const known = this.#rules.get(rule.id);
      if (known?.rule && typeof known.rule !== 'string' && known.rule.check_id !== rule.check_id) this.#unlink(known);
      this.#rules.set(rule.id, {
        id: rule.id,
        organization_id: rule.organization_id,
        standing: known?.standing ?? null,
        rule,
      });
      const others = this.#rulesOf.get(rule.check_id) ?? new Set();
      this.#rulesOf.set(rule.check_id, others.add(rule.id));
      this.dirty.add(rule.id);
    }
    if (fresh.length > 0) await this.#standingsAre(await this.#reads.read(alerts).alert_standings.getMany(fresh));
    await this.checks.watch(rules.map(({ check_id }) => check_id));
  }

  #removed(removed: readonly { id: string; because: Gone }[]): void {
    for (const { id, because } of removed) {
      const known = this.#rules.get(id);
      if (!known) continue;
      this.#unlink(known);
      this.#rules.set(id, { ...known, rule: because });
      this.dirty.add(id);
      this.#forgetIfOver(id);
    }
  }

  async #standingsAre(standings: readonly AlertStandingDocument[]): Promise<void> {
    const strays: string[] = [];
    for (const standing of standings) {
      const { id, organization_id } = standing;
      const known = this.#rules.get(id);
      if ((known?.standing?.changed_position ?? -1) >= standing.changed_position) continue;
      // Alerts that the service raises about itself have no rule.
      if (!known && (standing.status === 'resolved' || standing.check_id === null)) continue;
      if (!known) strays.push(id);
      this.#rules.set(id, { id, organization_id, rule: known?.rule ?? null, standing });
      this.dirty.add(id);
      this.#forgetIfOver(id);
    }
    // Active alerts of rules that are gone, or whose list is behind.
    if (strays.length > 0) this.#removed(await this.#reads.read(alertRules).removed_alert_rules.getMany(strays));
  }

  /** A rule is no longer about its check. */
  #unlink({ id, rule }: KnownRule): void {
    if (!rule || typeof rule === 'string') return;
    const rules = this.#rulesOf.get(rule.check_id);
    rules?.delete(id);
    if (rules?.size !== 0) return;
    this.#rulesOf.delete(rule.check_id);
    this.checks.forget(rule.check_id);
  }

  /** Of a rule that is gone nothing is kept once its alert is resolved. */
  #forgetIfOver(id: string): void {
    const known = this.#rules.get(id);
    if (typeof known?.rule !== 'string' || (known.standing && known.standing.status !== 'resolved')) return;
    this.#rules.delete(id);
    this.dirty.delete(id);
  }
}
