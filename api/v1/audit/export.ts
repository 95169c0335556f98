import { unescaped, unescapedText } from '../../../domain/sealed.ts';
import { joinChunks } from '../../../http/streamed-json.ts';
import { contentDisposition } from '../../../http/media/disposition.ts';
import { CSV, JSON_LINES, type MediaType } from '../../../http/media/media-types.ts';
import { CSV_MARK, csvLine } from '../../../messages/csv.ts';
import type { AuditEntry } from '../../../queries/audit.ts';
import { ok, type RouteResponse } from '../../route.ts';

/** A file format of the export. */
interface Format {
  type: MediaType;
  /** extension of the file name */
  ending: string;
  beginning: string;
  line: (entry: AuditEntry) => string;
}

const COLUMNS = [
  'id',
  'created_at',
  'organization_id',
  'actor_type',
  'actor_id',
  'actor_email',
  'action',
  'resource_type',
  'resource_id',
  'resource_name',
  'changes',
  'ip_address',
  'user_agent',
] as const satisfies readonly (keyof AuditEntry)[];

const CSV_FORMAT: Format = {
  type: CSV,
  ending: 'csv',
  beginning: `${CSV_MARK}${csvLine(COLUMNS)}`,
  // The changes are one JSON column, because each action changes different fields.
  line: (entry) =>
    csvLine(COLUMNS.map((column) => (column === 'changes' ? JSON.stringify(unescaped(entry.changes)) : entry[column]))),
};

const JSON_LINES_FORMAT: Format = {
  type: JSON_LINES,
  ending: 'jsonl',
  beginning: '',
  line: (entry) => `${unescapedText(entry)}\n`,
};

/** The export formats, by the value of `format`. */
export const EXPORT_FORMATS = { csv: CSV_FORMAT, jsonl: JSON_LINES_FORMAT };

/**
 * Streams the whole list as a file. A page is read after the client has received the previous one, so memory contains
 * only one page. The first page is read before the response starts, so an unavailable read model yields an error
 * response instead of a truncated file.
 *
 * @param pages pages of entries (queries/audit.ts)
 */
export const exportFile = async (
  { type, ending, beginning, line }: Format,
  pages: AsyncGenerator<AuditEntry[]>,
): Promise<RouteResponse> => {
  const first = await pages.next();
  const lines = async function* (): AsyncGenerator<string> {
    yield beginning;
    for (let page = first; page.done !== true; page = await pages.next()) {
      for (const entry of page.value) yield line(entry);
    }
  };
  const file = (): AsyncIterable<string> => joinChunks(lines());
  const headers = { 'Content-Disposition': contentDisposition('attachment', `audit.${ending}`) };
  return { ...ok(() => file), type, headers };
};
