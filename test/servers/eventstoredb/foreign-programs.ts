import { randomUUID } from 'node:crypto';
import { jsonEvent } from '@eventstore/db-client';
import type { Connection } from '../../../stores/eventstoredb/connection.ts';

/** Returns names of foreign streams. Some of them look almost like the streams of a service with this prefix. */
export const foreignStreamNames = (prefix: string): string[] => [
  `${prefix}b.incidents-1`,
  `${prefix}b.check_results-eu`,
  `${prefix}b.log-results`,
  `${prefix}Incidents-1`,
  `${prefix}incidents2-1`,
  `${prefix}incidents`,
  `${prefix}-1`,
  prefix.slice(0, -1),
  `${prefix.replace('.', 'x')}incidents-1`,
  `x${prefix}incidents-1`,
  `${prefix.toUpperCase()}incidents-1`,
  `incidents-${prefix}1`,
  `check_results-${prefix}eu`,
];

/** Writes foreign events to a stream: data that is not JSON, JSON without metadata, and a type of ours. */
export const writeForeign = async (
  { client, credentials }: Pick<Connection, 'client' | 'credentials'>,
  stream: string,
): Promise<void> => {
  const bytes = { id: randomUUID(), contentType: 'application/octet-stream' as const, metadata: undefined };
  await client.appendToStream(stream, { ...bytes, type: 'Foreign', data: Buffer.from([0, 255]) }, credentials);
  await client.appendToStream(stream, jsonEvent({ type: 'Foreign', data: { some: 'JSON' } }), credentials);
  const opened = { log_id: 'somebody else', log: 'main' };
  await client.appendToStream(stream, jsonEvent({ type: 'LogOpened', data: opened }), credentials);
};
