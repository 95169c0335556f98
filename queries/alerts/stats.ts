import type { Severity } from '../../domain/alert-rule/fields.ts';
import { before, DAY_MS } from '../../domain/time.ts';
import { alertChannels } from '../../projections/alert-channels/projection.ts';
import { alertRules } from '../../projections/alert-rules/projection.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import type { Scope } from '../engine/scope.ts';

/** Statistics of an organization's alerts (docs/reference/alerts.md#figures). */
export interface AlertStats {
  active_alerts: number;
  /** Number of alerts that fired in the last 24 hours. */
  recent_alerts: number;
  total_rules: number;
  total_channels: number;
  /** Number of active alerts by severity. */
  severity_breakdown: Record<Severity, number>;
}

export const readAlertStats = async ({
  read,
  organizationId: organization_id,
  now,
}: Pick<Scope, 'read' | 'organizationId' | 'now'>): Promise<AlertStats> => {
  const fired = read(alerts).alerts;
  const [recent_alerts, total_rules, total_channels, active] = await Promise.all([
    fired.count({ organization_id, fired_at: { $gt: before(now, DAY_MS) } }),
    read(alertRules).alert_rules.count({ organization_id }),
    read(alertChannels).alert_channels.count({ organization_id }),
    fired.pick(['severity'], { where: { organization_id, is_active: true } }),
  ]);
  const severity_breakdown: Record<Severity, number> = { low: 0, medium: 0, high: 0, critical: 0 };
  for (const { severity } of active) severity_breakdown[severity]++;
  return { active_alerts: active.length, recent_alerts, total_rules, total_channels, severity_breakdown };
};
