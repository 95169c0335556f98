import type { Row } from '../rows.ts';

/** What the importer reads from an installation of Uptime Kuma. Tables that its version lacks have no rows. */
export interface KumaData {
  monitors: readonly Row[];
  /** tags of monitors: `monitor_id`, `name`, `value` */
  tags: readonly Row[];
  notifications: readonly Row[];
  /** `monitor_id` and `notification_id` */
  monitorNotifications: readonly Row[];
  /** `key` and `value` */
  settings: readonly Row[];
  /** what was found out about certificates: `monitor_id` and `info_json` */
  certificates: readonly Row[];
  pages: readonly Row[];
  /** groups of status pages */
  groups: readonly Row[];
  /** monitors in groups of status pages */
  groupMonitors: readonly Row[];
  /** host names of status pages */
  domains: readonly Row[];
  incidents: readonly Row[];
  maintenances: readonly Row[];
  maintenancePages: readonly Row[];
  maintenanceMonitors: readonly Row[];
}
