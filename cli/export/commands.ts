import { instantOf } from '../../domain/time.ts';
import type { Output } from '../../service/output.ts';
import type { Client } from '../apply/client.ts';
import { openDestination, type Destination } from './destination.ts';
import { findPage } from './find.ts';
import { exportIncidents, type IncidentFormat } from './incidents.ts';
import { exportResults, type ResultFormat } from './results.ts';

const writing = async (
  path: string | undefined,
  output: Output,
  work: (destination: Destination) => Promise<void>,
): Promise<void> => {
  const destination = await openDestination(path, output);
  try {
    await work(destination);
  } finally {
    await destination.close();
  }
};

/** `uptrail export incidents` @throws OperatorError */
export const runExportIncidents = (
  client: Client,
  page: string,
  options: { format: IncidentFormat; output?: string },
  output: Output,
): Promise<void> =>
  writing(options.output, output, (destination) =>
    exportIncidents(client, { page, format: options.format }, destination),
  );

/** `uptrail export subscribers` @throws OperatorError */
export const runExportSubscribers = (
  client: Client,
  page: string,
  options: { output?: string },
  output: Output,
): Promise<void> =>
  writing(options.output, output, async ({ write }) => {
    const { id } = await findPage(client, page);
    const status = 'pending,active,quarantined,unsubscribed';
    await write(await client.text(`/v1/pages/${id}/subscribers/export?status=${status}`));
  });

/** `uptrail export results` @throws OperatorError */
export const runExportResults = (
  client: Client,
  check: string,
  options: { from?: string; to?: string; format: ResultFormat; output?: string },
  output: Output,
): Promise<void> =>
  writing(options.output, output, (destination) =>
    exportResults(client, { ...options, check }, destination, instantOf(Date.now())),
  );
