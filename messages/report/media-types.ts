import type { ReportFormat } from '../../domain/report/events.ts';

export const MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
};
