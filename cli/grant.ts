import { REGIONS } from '../domain/check/regions.ts';
import { CHECK_TYPE_NAMES } from '../domain/check/types/index.ts';
import { queuesOfRegion, titleOfQueue } from '../runners/queue-names.ts';
import { allowReading } from '../stores/event-store/eventstoredb/grant.ts';
import { connect } from '../stores/eventstoredb/connection.ts';
import { parkedStream } from '../stores/eventstoredb/rights.ts';
import { GROUP, streamOfRegion } from '../stores/work-queue/eventstoredb/region-queue.ts';
import { readVariables } from '../service/config/config.ts';
import type { Output } from '../service/output.ts';
import { OperatorError } from '../service/operator-error.ts';

/** Milliseconds for each call. */
const DEADLINE = 10_000;

/**
 * `uptrail eventstoredb grant`: gives a user of EventStoreDB the rights that Uptrail needs and that a member of `$ops`
 * lacks. It acts as the member of `$admins` that `EVENTSTOREDB_URL` names.
 *
 * @throws ConfigurationError a variable can't be used
 * @throws OperatorError, StoreUnavailable, RightMissing
 */
export const grant = async (
  environment: Readonly<Record<string, string | undefined>>,
  user: string,
  output: Output,
): Promise<void> => {
  const { eventStoreDbUrl, eventStoreDbPrefix } = readVariables(environment, ['eventStoreDbUrl', 'eventStoreDbPrefix']);
  if (eventStoreDbUrl === null) {
    throw new OperatorError('EVENTSTOREDB_URL must be set: it names the server, and a member of $admins.');
  }
  if (!/^[^\s:]+$/.test(user))
    throw new OperatorError('The name of the user must not be empty, nor hold spaces or colons.');
  const connection = connect(eventStoreDbUrl);
  try {
    await allowReading(connection, '$all', user, DEADLINE);
    await output.line(`${user} may read $all.`);
    for (const { name } of REGIONS.flatMap((region) => queuesOfRegion(region, CHECK_TYPE_NAMES))) {
      const stream = streamOfRegion(eventStoreDbPrefix, name);
      await allowReading(connection, parkedStream(stream, GROUP), user, DEADLINE);
      await output.line(`${user} may read the parked runs of ${titleOfQueue(name)}.`);
    }
    await output.line('Everything else that Uptrail does it may do as a member of $ops.');
  } finally {
    await connection.close();
  }
};
