import type { ReportSummary } from '../../domain/report/events.ts';

/** Returns a text that says whether an uptime target was met, or a dash if nothing was measured. */
export const targetWords = ({
  uptime_percentage,
  below_target,
}: Pick<ReportSummary, 'uptime_percentage' | 'below_target'>): string =>
  below_target !== 0 ? `missed by ${String(below_target)}` : uptime_percentage === null ? '–' : 'met by all';
