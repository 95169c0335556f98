import type { Gone, Standing } from '../../domain/alert/judge.ts';
import { definitionKey } from '../../domain/check/definition-key.ts';
import type { Instant } from '../../domain/time.ts';
import type { AlertRuleDocument } from '../../projections/alert-rules/documents.ts';
import { alertRules } from '../../projections/alert-rules/projection.ts';
import type { AlertStandingDocument } from '../../projections/alerts/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import {
  judgedChecks,
  runsByItself,
  type JudgedCheckDocument,
  type JudgedGroupDocument,
} from '../../projections/judged-checks/projection.ts';
import { quietChecks } from '../../projections/quiet-checks/projection.ts';
import type { CollectionReader, Read } from '../../projections/readers.ts';
import { changedPages } from '../engine/changed-pages.ts';
import { changeList, type ListItem, type TodoProjection } from '../engine/lists.ts';

/** What the judge reads. */
export interface JudgeReads {
  read: Read;
  /** reads what a position of the main log has made */
  readAfter: (position: number) => Read;
  todo: (projection: AnyProjection) => TodoProjection;
}

/** A check with rules. */
export interface KnownCheck {
  name: string;
  type: string;
  active: boolean;
  active_since: Instant;
  definition: string;
}

/** A rule, or one that is gone while its alert may still be active. */
export interface KnownRule {
  id: string;
  organization_id: string;
  /** null: it is not known yet, only its alert */
  rule: AlertRuleDocument | Gone | null;
  standing: (Standing & Pick<AlertStandingDocument, 'alert_id' | 'changed_position'>) | null;
}

/** A check without what its group says. */
type FollowedCheck = Pick<KnownCheck, 'name' | 'type' | 'definition'> &
  Pick<JudgedCheckDocument, 'switched_on' | 'since' | 'group_id' | 'grouped_at'>;

const PAGE = 1_000;

/** The read models of the main log whose changes can change a judgement. */
export const FOLLOWED = [alertRules, alerts, judgedChecks, quietChecks] as const;

/**
 * All rules with what their judgement needs of the main log, in memory: which of them a change concerns must be known
 * at two thousand results a second. It is read whole once, and from then on follows the read models.
 */
export class Known {
  readonly #reads: JudgeReads;
  readonly #rules = new Map<string, KnownRule>();
  readonly #rulesOf = new Map<string, Set<string>>();
  readonly #checks = new Map<string, FollowedCheck>();
  /** the switches of the groups that these checks are in */
  readonly #groups = new Map<string, JudgedGroupDocument>();
  readonly #quiet = new Set<string>();
  /** up to where each read model was followed, by name */
  readonly #followed = new Map<string, number>();
  /** rules that have to be judged */
  readonly dirty = new Set<string>();

  constructor(reads: JudgeReads) {
    this.#reads = reads;
  }

  rule(id: string): KnownRule | undefined {
    return this.#rules.get(id);
  }

  check(id: string): KnownCheck | null {
    const check = this.#checks.get(id);
    if (!check) return null;
    const { name, type, definition, group_id } = check;
    const group = group_id === null ? undefined : this.#groups.get(group_id);
    return { name, type, definition, ...runsByItself(check, group ?? null) };
  }

  isQuiet(checkId: string): boolean {
    return this.#quiet.has(checkId);
  }

  /** The results of a check have changed. */
  touchCheck(id: string): void {
    for (const rule of this.#rulesOf.get(id) ?? []) this.dirty.add(rule);
  }

  /** Reads everything, and has everything judged. */
  async load(): Promise<void> {
    const { read, todo } = this.#reads;
    const all = [this.#rules, this.#rulesOf, this.#checks, this.#groups, this.#quiet, this.dirty];
    for (const known of all) known.clear();
    // What changes while this reads is seen again afterwards.
    for (const projection of FOLLOWED) this.#followed.set(projection.name, todo(projection).folded());
    const { alert_rules } = read(alertRules);
    for await (const rules of pagesOf(alert_rules)) await this.#rulesAre(rules);
    const active = { status: { $in: ['firing', 'acknowledged'] } };
    for await (const standings of pagesOf(read(alerts).alert_standings, active)) await this.#standingsAre(standings);
  }

  /** Takes over what has changed since. */
  async follow(): Promise<void> {
    const { read, todo } = this.#reads;
    const folded = new Map(FOLLOWED.map((projection) => [projection.name, todo(projection).folded()]));
    const changed = <D extends ListItem>({ name }: AnyProjection, reader: CollectionReader<D>) =>
      changedDocuments(reader, this.#followed.get(name) ?? 0, folded.get(name) ?? 0);
    const { alert_rules, removed_alert_rules } = read(alertRules);
    for await (const rules of changed(alertRules, alert_rules)) await this.#rulesAre(rules);
    for await (const removed of changed(alertRules, removed_alert_rules)) this.#removed(removed);
    for await (const some of changed(alerts, read(alerts).alert_standings)) await this.#standingsAre(some);
    const { judged_checks, judged_groups } = read(judgedChecks);
    for await (const some of changed(judgedChecks, judged_checks)) {
      await this.#checksAre(some.filter(({ id }) => this.#rulesOf.has(id)));
    }
    for await (const some of changed(judgedChecks, judged_groups)) this.#groupsAre(some);
    for await (const some of changed(quietChecks, read(quietChecks).quiet_checks)) this.#quietAre(some);
    for (const [name, position] of folded) this.#followed.set(name, position);
  }

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
    const watched = [...new Set(rules.map(({ check_id }) => check_id))].filter((id) => !this.#checks.has(id));
    if (watched.length === 0) return;
    await this.#checksAre(await this.#reads.read(judgedChecks).judged_checks.getMany(watched));
    this.#quietAre(await this.#reads.read(quietChecks).quiet_checks.getMany(watched));
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

  async #checksAre(documents: readonly JudgedCheckDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const last = Math.max(...documents.map(({ changed_position }) => changed_position));
    const details = await this.#reads
      .readAfter(last)(checks)
      .checks.getMany(documents.map(({ id }) => id));
    const byId = new Map(details.map((check) => [check.id, check]));
    for (const { id, switched_on, since, group_id, grouped_at } of documents) {
      const check = byId.get(id);
      if (!check) continue;
      const { name, type } = check;
      const definition = definitionKey(check);
      this.#checks.set(id, { name, type, definition, switched_on, since, group_id, grouped_at });
      this.touchCheck(id);
    }
    const groups = new Set(documents.map(({ group_id }) => group_id).filter((id) => id !== null));
    const unknown = [...groups].filter((id) => !this.#groups.has(id));
    if (unknown.length === 0) return;
    for (const group of await this.#reads.read(judgedChecks).judged_groups.getMany(unknown)) {
      this.#groups.set(group.id, group);
    }
  }

  #groupsAre(groups: readonly JudgedGroupDocument[]): void {
    for (const group of groups) this.#groups.set(group.id, group);
    const changed = new Set(groups.map(({ id }) => id));
    for (const [id, { group_id }] of this.#checks) {
      if (group_id !== null && changed.has(group_id)) this.touchCheck(id);
    }
  }

  #quietAre(documents: readonly { id: string; incident_ids: readonly string[] }[]): void {
    for (const { id, incident_ids } of documents) {
      if (!this.#rulesOf.has(id)) continue;
      if (incident_ids.length > 0) this.#quiet.add(id);
      else this.#quiet.delete(id);
      this.touchCheck(id);
    }
  }

  /** A rule is no longer about its check. */
  #unlink({ id, rule }: KnownRule): void {
    if (!rule || typeof rule === 'string') return;
    const rules = this.#rulesOf.get(rule.check_id);
    rules?.delete(id);
    if (rules?.size !== 0) return;
    this.#rulesOf.delete(rule.check_id);
    this.#checks.delete(rule.check_id);
    this.#quiet.delete(rule.check_id);
  }

  /** Of a rule that is gone nothing is kept once its alert is resolved. */
  #forgetIfOver(id: string): void {
    const known = this.#rules.get(id);
    if (typeof known?.rule !== 'string' || (known.standing && known.standing.status !== 'resolved')) return;
    this.#rules.delete(id);
    this.dirty.delete(id);
  }
}

/** Documents that changed after one position and up to another, page by page. */
async function* changedDocuments<D extends ListItem>(
  reader: CollectionReader<D>,
  after: number,
  upTo: number,
): AsyncIterable<D[]> {
  for await (const { items } of changedPages(changeList(reader), after, upTo)) if (items.length > 0) yield items;
}

/** All documents of a collection that satisfy conditions, by id. */
async function* pagesOf<D extends { id: string }>(
  reader: CollectionReader<D>,
  where: Parameters<CollectionReader<D>['count']>[0] = {},
): AsyncIterable<D[]> {
  for (let after: string | null = null; ;) {
    const page: D[] = await reader.find({
      where: { ...where, ...(after !== null && { id: { $gt: after } }) },
      sort: { id: 1 },
      limit: PAGE,
    });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? null;
  }
}
