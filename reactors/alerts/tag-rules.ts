import type { RuleDeletion, NewestAlert } from '../../domain/alert/evaluation.ts';
import type { AlertRuleDocument } from '../../projections/alert-rules/documents.ts';
import type { NewestAlertDocument } from '../../projections/alerts/documents.ts';
import { suppressedTagId } from '../../projections/quiet-checks/documents.ts';
import type { Where } from '../../stores/read-store/port.ts';

/** The newest alert of a rule; for a rule by tag, its newest alert of one check. */
export type CachedAlert = NewestAlert & Pick<NewestAlertDocument, 'alert_id' | 'organization_id' | 'changed_position'>;

/** A rule with the check that it is evaluated on. */
export interface CachedRule {
  /** the rule's id; for a rule by tag, the id of its pair with a check ({@link pairOf}) */
  id: string;
  organization_id: string;
  /** null: only its alert is known yet; Gone: the rule is deleted while its alert may still be active */
  rule: AlertRuleDocument | RuleDeletion | null;
  /**
   * null: the rule targets no check any more (for example, the check lost the tag), or the rule is by tag and this is
   * no pair
   */
  check_id: string | null;
  standing: CachedAlert | null;
}

/** The id of a pair of a rule by tag and one of its checks, as in the read model of alerts. */
export const pairOf = (ruleId: string, checkId: string): string => `${ruleId}/${checkId}`;

/** The rule id of a pair's id; any other id is returned unchanged. */
export const ruleIdOf = (id: string): string => id.split('/', 1)[0] ?? id;

/** The check id of a pair's id; null: the id is that of a rule. */
export const checkIdOf = (id: string): string | null => id.split('/')[1] ?? null;

/** Condition for the standings of a rule by tag with all of its checks: their ids begin with the rule's id. */
export const wherePairsOf = (ruleId: string): Where => ({ $and: [{ id: { $gt: `${ruleId}/`, $lt: `${ruleId}0` } }] });

/** Callbacks that pairs depend on. */
export interface PairSources {
  /** the present state of a rule */
  rule: (ruleId: string) => AlertRuleDocument | RuleDeletion | null;
  /** whether a check has a tag ({@link suppressedTagId}) now */
  hasTag: (checkId: string, tag: string) => boolean;
  /** called with each pair that must be evaluated */
  touch: (pair: string) => void;
}

const isActive = ({ status }: NewestAlert): boolean => status !== 'resolved';

/**
 * Rules by tag, and the newest alerts of their pairs with checks. A pair takes memory only once it has had an alert,
 * because the pairs themselves follow from the tags of the checks (`check-cache.ts`).
 */
export class TagRules {
  readonly #sources: PairSources;
  /** the tag ({@link suppressedTagId}) of each rule by tag */
  readonly #tags = new Map<string, string>();
  /** ids of rules by their tag */
  readonly #byTag = new Map<string, Set<string>>();
  /** number of rules by tag, by organization */
  readonly #organizations = new Map<string, number>();
  readonly #standings = new Map<string, CachedAlert>();
  /** checks that have had an alert, by rule */
  readonly #checksOf = new Map<string, Set<string>>();
  /** pairs whose rule or check is deleted while their alert is active */
  readonly #gone = new Map<string, RuleDeletion>();

  constructor(sources: PairSources) {
    this.#sources = sources;
  }

  clear(): void {
    for (const map of [this.#tags, this.#byTag, this.#organizations, this.#gone]) map.clear();
    for (const map of [this.#standings, this.#checksOf]) map.clear();
  }

  /** Whether a rule is by tag. */
  has(ruleId: string): boolean {
    return this.#tags.has(ruleId);
  }

  /** Whether any rule is by tag, or an alert of such a rule is known. */
  get isUsed(): boolean {
    return this.#tags.size > 0 || this.#checksOf.size > 0;
  }

  /** The tag ({@link suppressedTagId}) of a rule; null: it is not by tag. */
  tagOf(ruleId: string): string | null {
    return this.#tags.get(ruleId) ?? null;
  }

  /** Whether any rule of an organization is by tag. */
  hasRulesOf(organizationId: string): boolean {
    return this.#organizations.has(organizationId);
  }

  /** Whether a rule targets one of these tags. */
  targetsAnyOf(tags: readonly string[]): boolean {
    return this.#byTag.size > 0 && tags.some((tag) => this.#byTag.has(tag));
  }

  /** The state of a pair; undefined: neither its rule nor an alert is known. */
  get(pair: string): CachedRule | undefined {
    const newest = this.#standings.get(pair) ?? null;
    const check_id = checkIdOf(pair) ?? '';
    const rule = this.#gone.get(pair) ?? this.#sources.rule(ruleIdOf(pair));
    const organization_id = newest?.organization_id ?? (typeof rule === 'string' ? null : rule?.organization_id);
    if (!organization_id) return undefined;
    const key = typeof rule === 'string' ? undefined : this.#tags.get(rule?.id ?? '');
    const applies = key !== undefined && this.#sources.hasTag(check_id, key);
    return { id: pair, organization_id, rule, check_id: applies ? check_id : null, standing: newest };
  }

  /** Sets the tag of a rule. @returns whether this changes anything */
  link({ id, organization_id }: Pick<AlertRuleDocument, 'id' | 'organization_id'>, tag: string): boolean {
    const key = suppressedTagId(organization_id, tag);
    if (this.#tags.get(id) === key) return false;
    this.unlink({ id, organization_id });
    this.#tags.set(id, key);
    this.#byTag.set(key, (this.#byTag.get(key) ?? new Set()).add(id));
    this.#organizations.set(organization_id, (this.#organizations.get(organization_id) ?? 0) + 1);
    return true;
  }

  /** Removes a rule that is no longer by tag. */
  unlink({ id, organization_id }: Pick<AlertRuleDocument, 'id' | 'organization_id'>): void {
    const key = this.#tags.get(id);
    if (key === undefined) return;
    this.#tags.delete(id);
    this.#byTag.get(key)?.delete(id);
    if (this.#byTag.get(key)?.size === 0) this.#byTag.delete(key);
    const left = (this.#organizations.get(organization_id) ?? 0) - 1;
    if (left > 0) this.#organizations.set(organization_id, left);
    else this.#organizations.delete(organization_id);
  }

  /** Marks a rule for evaluation on some checks, and on those that it has had alerts of. */
  touchRule(ruleId: string, checkIds: Iterable<string> = []): void {
    for (const checkId of checkIds) this.#sources.touch(pairOf(ruleId, checkId));
    for (const checkId of this.#checksOf.get(ruleId) ?? []) this.#sources.touch(pairOf(ruleId, checkId));
  }

  /** Marks the rules for evaluation that target a present or former tag of a check. */
  touchCheck(checkId: string, tags: Iterable<string>): void {
    if (this.#byTag.size === 0) return;
    for (const tag of tags) {
      for (const ruleId of this.#byTag.get(tag) ?? []) this.#sources.touch(pairOf(ruleId, checkId));
    }
  }

  /** A rule was deleted: its active alerts end. */
  ruleRemoved(rule: Pick<AlertRuleDocument, 'id' | 'organization_id'>, because: RuleDeletion): void {
    this.unlink(rule);
    for (const checkId of [...(this.#checksOf.get(rule.id) ?? [])]) {
      const pair = pairOf(rule.id, checkId);
      if (this.#isActive(pair)) this.#end(pair, because);
      else this.#forget(pair);
    }
  }

  /** A check was deleted: its active alerts of rules by tag end. */
  checkRemoved(checkId: string): void {
    for (const ruleId of this.#checksOf.keys()) {
      const pair = pairOf(ruleId, checkId);
      if (this.#isActive(pair)) this.#end(pair, 'check_deleted');
    }
  }

  /** A check exists: a deleted one has been restored. */
  checkRestored(checkId: string): void {
    for (const pair of this.#gone.keys()) {
      if (checkIdOf(pair) !== checkId || !this.has(ruleIdOf(pair))) continue;
      this.#gone.delete(pair);
      this.#sources.touch(pair);
    }
  }

  /**
   * Updates the newest alert of a pair, if it is new. Forgets the pair of a deleted rule once its alert is resolved.
   */
  updateAlert(pair: string, newest: CachedAlert): void {
    if ((this.#standings.get(pair)?.changed_position ?? -1) >= newest.changed_position) return;
    const ruleId = ruleIdOf(pair);
    if (!isActive(newest)) {
      this.#gone.delete(pair);
      if (!this.has(ruleId)) {
        this.#forget(pair);
        return;
      }
    }
    this.#standings.set(pair, newest);
    this.#checksOf.set(ruleId, (this.#checksOf.get(ruleId) ?? new Set()).add(checkIdOf(pair) ?? ''));
    this.#sources.touch(pair);
  }

  /** Checks of active alerts, each once. */
  activeChecks(): string[] {
    const active = [...this.#standings].filter(([, standing]) => isActive(standing));
    return [...new Set(active.map(([pair]) => checkIdOf(pair) ?? ''))];
  }

  #isActive(pair: string): boolean {
    const newest = this.#standings.get(pair);
    return newest !== undefined && isActive(newest);
  }

  #end(pair: string, because: RuleDeletion): void {
    this.#gone.set(pair, because);
    this.#sources.touch(pair);
  }

  #forget(pair: string): void {
    this.#standings.delete(pair);
    const checks = this.#checksOf.get(ruleIdOf(pair));
    checks?.delete(checkIdOf(pair) ?? '');
    if (checks?.size === 0) this.#checksOf.delete(ruleIdOf(pair));
  }
}
