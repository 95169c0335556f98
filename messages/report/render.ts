import { unreachable } from '../../domain/decider.ts';
import type { ReportContent } from '../../domain/report/content.ts';
import type { ReportFormat } from '../../domain/report/events.ts';
import { reportCsv } from './csv.ts';
import { reportJson } from './json.ts';
import { reportPdf } from './pdf/document.ts';

/** Renders the file of a report. This takes seconds of CPU time, so it runs in a worker thread. */
export const renderReport = async (content: ReportContent, format: ReportFormat): Promise<Uint8Array> => {
  switch (format) {
    case 'json':
      return Buffer.from(reportJson(content));
    case 'csv':
      return Buffer.from(reportCsv(content));
    case 'pdf':
      return reportPdf(content);
    default:
      return unreachable(format);
  }
};
