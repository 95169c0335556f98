import type { ReportSummary } from '../../domain/report/events.ts';

/** How a target of uptime was kept; a dash where nothing was measured that could keep it. */
export const targetWords = ({
  uptime_percentage,
  below_target,
}: Pick<ReportSummary, 'uptime_percentage' | 'below_target'>): string =>
  below_target !== 0 ? `missed by ${String(below_target)}` : uptime_percentage === null ? '–' : 'met by all';
