import type { ReportSummary } from '../../domain/report/events.ts';

/** Returns whether an uptime target was met; a dash if nothing was measured. */
export const targetWords = ({
  uptime_percentage,
  below_target,
}: Pick<ReportSummary, 'uptime_percentage' | 'below_target'>): string =>
  below_target !== 0 ? `missed by ${String(below_target)}` : uptime_percentage === null ? '–' : 'met by all';
