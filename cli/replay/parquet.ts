import type { ColumnSource, SchemaElement } from 'hyparquet-writer';
import { version } from '../../service/version.ts';
import { joinedLine, type LineParts } from './replay.ts';

/** A row of a file: an event, with some fields of its metadata in columns of their own. */
export interface EventRow extends LineParts {
  recorded_at: string;
  organization_id: string | null;
  actor_kind: string;
  actor_id: string;
}

/** Limits of a row group. A writer and a reader keep one row group in memory. */
const MOST_ROWS = 5_000;
const MOST_CHARACTERS = 8_388_608;

const text = (name: keyof EventRow, optional = false): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: optional ? 'OPTIONAL' : 'REQUIRED',
});

const COLUMNS: readonly SchemaElement[] = [
  { name: 'position', type: 'INT64', repetition_type: 'REQUIRED' },
  text('stream'),
  { name: 'revision', type: 'INT64', repetition_type: 'REQUIRED' },
  text('id'),
  text('type'),
  { name: 'recorded_at', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'REQUIRED' },
  text('organization_id', true),
  text('actor_kind'),
  text('actor_id'),
  text('data'),
  text('metadata'),
];

/** Columns for which row groups store no minimum and maximum, because readers do not filter by these columns. */
const WITHOUT_STATISTICS: ReadonlySet<string> = new Set(['id', 'data', 'metadata']);

/**
 * Encodes rows as a Parquet file, compressed with Snappy. The library is loaded when the first row is encoded.
 *
 * @returns the bytes of the file, a row group at a time
 */
export async function* parquetOf(rows: AsyncIterable<EventRow>): AsyncGenerator<Buffer, void, undefined> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const bytes = new ByteWriter();
  const schema = [{ name: 'events', num_children: COLUMNS.length }, ...COLUMNS];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: `uptrail version ${version()}` });
  const written = (): Buffer => {
    const copy = Buffer.from(bytes.getBytes());
    bytes.index = 0;
    return copy;
  };
  let group: EventRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    group.push(row);
    characters += row.data.length + row.metadata.length;
    if (group.length < MOST_ROWS && characters < MOST_CHARACTERS) continue;
    await writer.write({ columnData: columnsOf(group), rowGroupSize: group.length });
    yield written();
    group = [];
    characters = 0;
  }
  if (group.length > 0) await writer.write({ columnData: columnsOf(group), rowGroupSize: group.length });
  await writer.finish();
  yield written();
}

const columnsOf = (rows: readonly EventRow[]): ColumnSource[] =>
  COLUMNS.map(({ name }) => ({
    name,
    data: rows.map((row) => (name === 'recorded_at' ? microsecondsOf(row.recorded_at) : row[name as keyof EventRow])),
    statistics: !WITHOUT_STATISTICS.has(name),
  }));

/** Returns microseconds since 1970. */
const microsecondsOf = (instant: string): bigint =>
  BigInt(Date.parse(`${instant.slice(0, 19)}Z`)) * 1_000n + BigInt(instant.slice(20, 26));

/**
 * Reads a file that {@link parquetOf} has encoded, a row group at a time.
 *
 * @returns the line of JSON of each event
 * @throws Error the file is damaged
 */
export async function* linesOfParquet(file: string): AsyncGenerator<string, void, undefined> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  const columns = ['position', 'stream', 'revision', 'id', 'type', 'data', 'metadata'];
  let start = 0;
  for (const { num_rows: rows } of metadata.row_groups) {
    const end = start + Number(rows);
    const found = await parquetReadObjects({ file: buffer, metadata, columns, rowStart: start, rowEnd: end });
    for (const row of found) yield joinedLine(row as unknown as LineParts);
    start = end;
  }
}
