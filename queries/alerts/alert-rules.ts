import { changedFields } from '../../domain/changes.ts';
import { missingParameters, ruleProblems, type RuleProblems } from '../../domain/alert-rule/problems.ts';
import type { AlertRuleFields } from '../../domain/alert-rule/fields.ts';
import { withDefaults, type AlertRuleInput } from '../../domain/alert-rule/settings.ts';
import { mutedUntil } from '../../domain/mute.ts';
import { DAY_MS, millisecondsOf } from '../../domain/time.ts';
import type { AlertRuleDocument } from '../../projections/alert-rules/documents.ts';
import { alertRules } from '../../projections/alert-rules/projection.ts';
import { checks } from '../../projections/checks/projection.ts';
import { showChannels, findChannels, type AlertChannelView } from './alert-channels.ts';
import { ownChecks } from '../checks/find.ts';
import type { RevealOptions } from '../checks/secrets.ts';
import { exactly, oneOfWhere, type Match } from '../engine/filters.ts';
import { joinItems, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import { readSuppressions } from '../suppression.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';

/** A rule with its related objects. */
export interface AlertRuleView extends AlertRuleDocument {
  /** Null for a rule by tag. */
  check_name: string | null;
  /** Existing channels, in the order of the rule. */
  channels: readonly AlertChannelView[];
  /** The maintenance in progress that suppresses the rule. For a rule by tag, the maintenance must name the tag. */
  suppressed_by: { incident_id: string; name: string } | null;
}

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'keys' | 'now'>;

/** Matches rules that name a check, and rules by a tag of the check. */
const aboutCheck: Match<{ id: string; tags: readonly string[] }> = (_, { id, tags }) =>
  oneOfWhere([{ check_id: id }, ...(tags.length > 0 ? [{ tag: { $in: tags } }] : [])]);

const alsoByTag: Match<boolean> = (_, also) => (also ? {} : { tag: null });

const own = ownDocuments((read) => read(alertRules).alert_rules, 'alert rule', {
  sort: { created_at: -1 },
  filters: { check_id: aboutCheck, tag: exactly, by_tag: alsoByTag },
});

/** A stored rule. @throws NotFound */
export const findAlertRule = own.one;

/**
 * @param views views of channels by id, if they were read before
 * @throws NotFound
 */
export const showAlertRule = async (
  scope: QueryScope,
  ruleId: string,
  revealing: RevealOptions,
  views: typeof showChannels = showChannels,
): Promise<AlertRuleView> => {
  const rule = await own.one(scope, ruleId);
  return (await detailing(scope, [rule], revealing, views))(rule);
};

export interface AlertRuleFilters {
  /** Matches rules that name the check. With `by_tag`, also matches rules by a tag of the check. */
  check_id?: string;
  /** Matches rules by this tag. */
  tag?: string;
  /** Whether to include rules by tag, which older clients cannot handle. Default: true only if `tag` is set. */
  by_tag?: boolean;
}

/** Returns the ids of rules by check. Omits checks without rules. */
export const findRulesOfChecks = async (
  { read, organizationId }: ReadScope,
  checkIds: readonly string[],
): Promise<Map<string, string[]>> => {
  const rules = new Map<string, string[]>();
  for (let first = 0; first < checkIds.length; first += PAGE) {
    const where = { check_id: { $in: checkIds.slice(first, first + PAGE) }, organization_id: organizationId };
    for (const { id, check_id } of await read(alertRules).alert_rules.pick(['id', 'check_id'], { where })) {
      if (check_id !== null) rules.set(check_id, [...(rules.get(check_id) ?? []), id]);
    }
  }
  return rules;
};

/** Number of checks per query. */
const PAGE = 250;

/** The rules of the organization, newest first. */
export const listAlertRules = async (
  scope: QueryScope,
  { check_id, tag, by_tag = tag !== undefined }: AlertRuleFilters,
  paging: Paging,
  revealing: RevealOptions,
): Promise<Listing<AlertRuleView>> => {
  const about =
    check_id === undefined ? {} : { check_id: { id: check_id, tags: by_tag ? await tagsOf(scope, check_id) : [] } };
  const filters = { ...about, ...(tag !== undefined && { tag }), by_tag };
  return joinItems(await own.list(scope, filters, paging), (rules) => detailing(scope, rules, revealing));
};

/** Returns the tags of a check, or an empty list if the organization has no such check. */
const tagsOf = async (scope: QueryScope, checkId: string): Promise<readonly string[]> => {
  const check = await scope.read(checks).checks.get(checkId);
  return ownChecks.isThere(check, scope) ? check.tags : [];
};

/** Reads the related objects of several rules together. Returns a function that creates the view of one rule. */
const detailing = async (
  scope: QueryScope,
  rules: readonly AlertRuleDocument[],
  revealing: RevealOptions,
  views: typeof showChannels = showChannels,
) => {
  const checkIds = [...new Set(rules.flatMap(({ check_id }) => check_id ?? []))];
  const watched = await scope.read(checks).checks.getMany(checkIds);
  // A rule by tag is suppressed while a maintenance names the tag itself.
  const byTag = rules.flatMap(({ id, organization_id, tag }) =>
    tag === null ? [] : { id, organization_id, tags: [tag] },
  );
  const [quiet, channels] = await Promise.all([
    readSuppressions(scope.read, [...watched, ...byTag]),
    views(scope, [...new Set(rules.flatMap(({ channel_ids }) => channel_ids))], revealing),
  ]);
  const names = new Map(watched.map(({ id, name }) => [id, name]));
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  return (rule: AlertRuleDocument): AlertRuleView => {
    const existing = rule.channel_ids.map((id) => byId.get(id)).filter((channel) => channel !== undefined);
    // Omit deleted channels. A rule can contain one if the channel was deleted while it was being added to the rule.
    const channel_ids = existing.map(({ id }) => id);
    const suppressing = quiet.get(rule.check_id ?? rule.id) ?? null;
    return {
      ...rule,
      muted_until: mutedUntil(rule.muted_until, scope.now),
      check_name: names.get(rule.check_id ?? '') ?? null,
      channel_ids,
      channels: existing,
      suppressed_by: suppressing && { incident_id: suppressing.incident_id, name: suppressing.name },
    };
  };
};

/**
 * Removes the channels from the input if they equal the existing channels of the rule. So a client can send back a rule
 * that it has read, even if one of its channels was deleted.
 */
export const withoutUnchangedChannels = async (
  scope: ReadScope,
  rule: AlertRuleFields,
  input: AlertRuleInput,
): Promise<AlertRuleInput> => {
  if (input.channel_ids === undefined) return input;
  const existing = await findChannels(scope, rule.channel_ids);
  const shown = rule.channel_ids.filter((id) => existing.has(id));
  const { channel_ids, ...others } = input;
  return shown.join() === channel_ids.join() ? others : input;
};

/**
 * Returns those errors of a rule that the schema of the input does not report, by field.
 *
 * @param before the current rule, or the defaults of a new rule
 */
export const alertRuleProblems = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'now' | 'resultsFrom'>,
  before: AlertRuleFields,
  input: AlertRuleInput,
): Promise<RuleProblems> => {
  const rule = withDefaults(before, input);
  const changed = new Set(Object.keys(changedFields(before, rule)?.changes ?? {}));
  const [check, channels] = await Promise.all([
    rule.check_id === null ? null : scope.read(checks).checks.get(rule.check_id),
    findChannels(scope, rule.channel_ids),
  ]);
  return {
    ...missingParameters(rule),
    ...ruleProblems(rule, changed, {
      check: ownChecks.isThere(check, scope) ? check : null,
      channels: new Set(channels.keys()),
      retentionDays: Math.floor((millisecondsOf(scope.now) - millisecondsOf(scope.resultsFrom())) / DAY_MS),
    }),
  };
};
