import type { RuleDeletion, NewestAlert } from '../../domain/alert/evaluation.ts';
import type { AlertRuleDocument } from '../../projections/alert-rules/documents.ts';
import type { NewestAlertDocument } from '../../projections/alerts/documents.ts';
import { suppressedTagId } from '../../projections/quiet-checks/documents.ts';
import type { Where } from '../../stores/read-store/port.ts';

/** The newest alert of a rule, or of the pair of a rule by tag and a check. */
export type CachedAlert = NewestAlert & Pick<NewestAlertDocument, 'alert_id' | 'organization_id' | 'changed_position'>;

/** A rule with the check that it is evaluated on. */
export interface CachedRule {
  /** Id of the rule. For a rule by tag, the id of its pair with the check ({@link pairOf}). */
  id: string;
  organization_id: string;
  /**
   * Null: only the alert is known yet. A {@link RuleDeletion}: the rule is deleted, but its alert might still be
   * active.
   */
  rule: AlertRuleDocument | RuleDeletion | null;
  /**
   * Null: the rule no longer targets a check (for example, because the tag was removed from the check), or this is a
   * rule by tag without a check.
   */
  check_id: string | null;
  current: CachedAlert | null;
}

/** Returns the id of the pair of a rule by tag and a check. The read model of alerts uses the same ids. */
export const pairOf = (ruleId: string, checkId: string): string => `${ruleId}/${checkId}`;

/** Extracts the rule id from the id of a pair. Returns the id of a rule unchanged. */
export const ruleIdOf = (id: string): string => id.split('/', 1)[0] ?? id;

/** Extracts the check id from the id of a pair. Returns null for the id of a rule. */
export const checkIdOf = (id: string): string | null => id.split('/')[1] ?? null;

/** Returns the condition for all pairs of a rule, whose ids begin with `ruleId/`. In ASCII, `0` follows `/`. */
export const wherePairsOf = (ruleId: string): Where => ({ $and: [{ id: { $gt: `${ruleId}/`, $lt: `${ruleId}0` } }] });

/** Callbacks that {@link TagRules} calls. */
export interface PairSources {
  /** Returns the present state of a rule. */
  rule: (ruleId: string) => AlertRuleDocument | RuleDeletion | null;
  /** Returns whether a check has a tag ({@link suppressedTagId}) now. */
  hasTag: (checkId: string, tag: string) => boolean;
  /** Called with the id of each pair that must be evaluated. */
  touch: (pair: string) => void;
}

const isActive = ({ status }: NewestAlert): boolean => status !== 'resolved';

/**
 * Rules by tag, and the newest alert of each of their pairs with a check. Only pairs that have had an alert take
 * memory. All other pairs are derived from the tags of the checks (`check-cache.ts`).
 */
export class TagRules {
  readonly #sources: PairSources;
  /** The tag ({@link suppressedTagId}) of each rule by tag, by rule id. */
  readonly #tags = new Map<string, string>();
  /** Ids of rules, by tag. */
  readonly #byTag = new Map<string, Set<string>>();
  /** Number of rules by tag that each organization has, by its id. */
  readonly #organizations = new Map<string, number>();
  readonly #standings = new Map<string, CachedAlert>();
  /** Checks for which a rule has had an alert, by rule id. */
  readonly #checksOf = new Map<string, Set<string>>();
  /** Pairs whose rule or check was deleted while their alert was active. */
  readonly #gone = new Map<string, RuleDeletion>();

  constructor(sources: PairSources) {
    this.#sources = sources;
  }

  clear(): void {
    for (const map of [this.#tags, this.#byTag, this.#organizations, this.#gone]) map.clear();
    for (const map of [this.#standings, this.#checksOf]) map.clear();
  }

  /** Returns whether a rule targets checks by tag. */
  has(ruleId: string): boolean {
    return this.#tags.has(ruleId);
  }

  /** Whether any rule targets checks by tag, or an alert of such a rule is in memory. */
  get isUsed(): boolean {
    return this.#tags.size > 0 || this.#checksOf.size > 0;
  }

  /** Returns the tag ({@link suppressedTagId}) that a rule targets. Null if it targets no tag. */
  tagOf(ruleId: string): string | null {
    return this.#tags.get(ruleId) ?? null;
  }

  /** Returns whether an organization has rules by tag. */
  hasRulesOf(organizationId: string): boolean {
    return this.#organizations.has(organizationId);
  }

  /** Returns whether any rule targets one of these tags. */
  targetsAnyOf(tags: readonly string[]): boolean {
    return this.#byTag.size > 0 && tags.some((tag) => this.#byTag.has(tag));
  }

  /** Returns the state of a pair. Undefined if neither its rule nor an alert is known. */
  get(pair: string): CachedRule | undefined {
    const newest = this.#standings.get(pair) ?? null;
    const check_id = checkIdOf(pair) ?? '';
    const rule = this.#gone.get(pair) ?? this.#sources.rule(ruleIdOf(pair));
    const organization_id = newest?.organization_id ?? (typeof rule === 'string' ? null : rule?.organization_id);
    if (!organization_id) return undefined;
    const key = typeof rule === 'string' ? undefined : this.#tags.get(rule?.id ?? '');
    const applies = key !== undefined && this.#sources.hasTag(check_id, key);
    return { id: pair, organization_id, rule, check_id: applies ? check_id : null, current: newest };
  }

  /** Sets the tag of a rule. @returns whether the rule had no tag or another tag before */
  link({ id, organization_id }: Pick<AlertRuleDocument, 'id' | 'organization_id'>, tag: string): boolean {
    const key = suppressedTagId(organization_id, tag);
    if (this.#tags.get(id) === key) return false;
    this.unlink({ id, organization_id });
    this.#tags.set(id, key);
    this.#byTag.set(key, (this.#byTag.get(key) ?? new Set()).add(id));
    this.#organizations.set(organization_id, (this.#organizations.get(organization_id) ?? 0) + 1);
    return true;
  }

  /** Removes a rule that no longer targets a tag. */
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

  /** Marks a rule for evaluation on the given checks, and on all checks for which it has had an alert. */
  touchRule(ruleId: string, checkIds: Iterable<string> = []): void {
    for (const checkId of checkIds) this.#sources.touch(pairOf(ruleId, checkId));
    for (const checkId of this.#checksOf.get(ruleId) ?? []) this.#sources.touch(pairOf(ruleId, checkId));
  }

  /** Marks the rules that target one of these tags for evaluation on the check. */
  touchCheck(checkId: string, tags: Iterable<string>): void {
    if (this.#byTag.size === 0) return;
    for (const tag of tags) {
      for (const ruleId of this.#byTag.get(tag) ?? []) this.#sources.touch(pairOf(ruleId, checkId));
    }
  }

  /** Removes a deleted rule, and marks its active alerts to be ended. */
  ruleRemoved(rule: Pick<AlertRuleDocument, 'id' | 'organization_id'>, because: RuleDeletion): void {
    this.unlink(rule);
    for (const checkId of [...(this.#checksOf.get(rule.id) ?? [])]) {
      const pair = pairOf(rule.id, checkId);
      if (this.#isActive(pair)) this.#end(pair, because);
      else this.#forget(pair);
    }
  }

  /** Marks the active alerts of a deleted check to be ended. */
  checkRemoved(checkId: string): void {
    for (const ruleId of this.#checksOf.keys()) {
      const pair = pairOf(ruleId, checkId);
      if (this.#isActive(pair)) this.#end(pair, 'check_deleted');
    }
  }

  /** Marks the pairs of a restored check for evaluation. Does nothing for a check that was not deleted. */
  checkRestored(checkId: string): void {
    for (const pair of this.#gone.keys()) {
      if (checkIdOf(pair) !== checkId || !this.has(ruleIdOf(pair))) continue;
      this.#gone.delete(pair);
      this.#sources.touch(pair);
    }
  }

  /**
   * Updates the newest alert of a pair. Ignores an outdated state of the alert. Forgets the pair if its rule is deleted
   * and the alert is resolved.
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

  /** Returns the ids of the checks with active alerts, without duplicates. */
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
