import type { Fields } from '../../../configuration/model.ts';
import type { Remarks } from '../../remarks.ts';
import type { Row } from '../../rows.ts';

/** A monitor of Uptime Kuma and what its mapping needs. */
export interface Monitor {
  row: Row;
  /** the name of the check that it becomes */
  name: string;
  remarks: Remarks;
  /** the fewest days before the end of a certificate at which Uptime Kuma notifies; null without such notifications */
  certificateDays: number | null;
  /** what Uptime Kuma found out about the certificate: true if clients trust it; null if that is not known */
  certificateTrusted: boolean | null;
}

/** The fields of a check that depend on the type of its monitor. */
export interface Draft {
  type: string;
  url?: string;
  host?: string;
  port?: number;
  timeout: number;
  parameters: Fields;
  /** whether the check must not run yet, because it could give other results than the monitor */
  paused?: boolean;
}

/** Maps a monitor to a check. Returns null, with a remark, if no check can do what the monitor does. */
export type MonitorMapping = (monitor: Monitor) => Draft | null;
