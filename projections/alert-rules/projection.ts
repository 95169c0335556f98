import type { EventType, RecordedEventOf } from '../../domain/catalogue.ts';
import { revisionOf } from '../../domain/revision.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import type { AlertRuleDocument, DeletedCheckDocument, RemovedAlertRuleDocument } from './documents.ts';

interface Models {
  alert_rules: Model<AlertRuleDocument>;
  removed_alert_rules: Model<RemovedAlertRuleDocument>;
  deleted_checks: Model<DeletedCheckDocument>;
}

type Removing = RecordedEventOf<Extract<EventType, `AlertRule${string}` | 'CheckDeleted'>>;

const remove = (
  { metadata, position }: Removing,
  { id, organization_id, check_id }: AlertRuleDocument,
  { alert_rules, removed_alert_rules }: Models,
  because: RemovedAlertRuleDocument['because'],
): void => {
  alert_rules.delete(id);
  removed_alert_rules.put({
    id,
    organization_id,
    check_id,
    because,
    removed_at: metadata.recorded_at,
    changed_position: Number(position),
  });
};

/** A rule is shown only while its check is there. */
const show = (event: Removing, rule: AlertRuleDocument, models: Models): void => {
  if (rule.check_id !== null && models.deleted_checks.get(rule.check_id)) remove(event, rule, models, 'check_deleted');
  else models.alert_rules.put(rule);
};

/** Whether the check that a rule names was deleted has to be known. */
const checksIn = ({ check_id }: { check_id?: string | null }) => ({
  ...(typeof check_id === 'string' && { deleted_checks: [check_id] }),
});

/** Which conditions of which checks are to be told to which channels. A rule goes with its check. */
export const alertRules = defineProjection({
  name: 'alert_rules',
  version: 2,
  log: 'main',
  collections: {
    alert_rules: collection<AlertRuleDocument>({
      indexes: [{ organization_id: 1, created_at: -1 }, { check_id: 1 }, { changed_position: 1 }],
    }),
    removed_alert_rules: collection<RemovedAlertRuleDocument>({ indexes: [{ changed_position: 1 }] }),
    deleted_checks: collection<DeletedCheckDocument>({ indexes: [{ changed_position: 1 }] }),
  },
  documents: (event) => {
    switch (event.type) {
      case 'CheckDeleted':
        return { deleted_checks: [event.data.check_id] };
      case 'AlertRuleCreated':
        return { alert_rules: [event.data.rule_id], ...checksIn(event.data.rule) };
      case 'AlertRuleUpdated': {
        const { rule_id, changes } = event.data;
        return { alert_rules: [rule_id], ...checksIn(changes) };
      }
      default:
        return { alert_rules: [event.data.rule_id] };
    }
  },
  searches: {
    CheckDeleted: ({ data }) => ({ alert_rules: { where: { check_id: data.check_id } } }),
  },
  on: {
    AlertRuleCreated: (event, models) => {
      const { data, metadata, position } = event;
      const rule: AlertRuleDocument = {
        id: data.rule_id,
        organization_id: data.organization_id,
        ...data.rule,
        muted_until: null,
        revision: revisionOf(event),
        created_at: metadata.recorded_at,
        updated_at: metadata.recorded_at,
        changed_position: Number(position),
      };
      show(event, rule, models);
    },
    AlertRuleUpdated: (event, models) => {
      const { data, metadata, position } = event;
      const rule = models.alert_rules.get(data.rule_id);
      if (!rule) return;
      const changed: AlertRuleDocument = {
        ...rule,
        ...data.changes,
        revision: revisionOf(event),
        updated_at: metadata.recorded_at,
        changed_position: Number(position),
      };
      if (data.changes.check_id === undefined) models.alert_rules.put(changed);
      else show(event, changed, models);
    },
    AlertRuleMuted: (event, { alert_rules }) => {
      const { data, metadata, position } = event;
      const rule = alert_rules.get(data.rule_id);
      if (!rule) return;
      const { muted_until } = data;
      const { recorded_at: updated_at } = metadata;
      alert_rules.put({
        ...rule,
        muted_until,
        revision: revisionOf(event),
        updated_at,
        changed_position: Number(position),
      });
    },
    AlertRuleDeleted: (event, models) => {
      const rule = models.alert_rules.get(event.data.rule_id);
      if (rule) remove(event, rule, models, 'rule_deleted');
    },
    CheckDeleted: (event, models) => {
      models.deleted_checks.put({ id: event.data.check_id, changed_position: Number(event.position) });
      for (const rule of models.alert_rules.found) remove(event, rule, models, 'check_deleted');
    },
  },
});
