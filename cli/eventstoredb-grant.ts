import { REGIONS } from '../domain/check/regions.ts';
import { CHECK_TYPE_NAMES } from '../domain/check/types/index.ts';
import { queuesOfRegion, titleOfQueue } from '../runners/queue-names.ts';
import { grantReadAccess } from '../stores/event-store/eventstoredb/grant-read-access.ts';
import { connect } from '../stores/eventstoredb/connection.ts';
import { parkedStream } from '../stores/eventstoredb/rights.ts';
import { GROUP, streamOfRegion } from '../stores/work-queue/eventstoredb/region-queue.ts';
import { readVariables } from '../service/config/config.ts';
import type { Output } from '../service/output.ts';
import { OperatorError } from '../service/operator-error.ts';

/** Time limit of each call, in milliseconds. */
const DEADLINE = 10_000;

/**
 * `uptrail eventstoredb grant`: grants a user of EventStoreDB the rights that Uptrail needs in addition to the rights
 * of `$ops`. The user in `EVENTSTOREDB_URL` must be a member of `$admins`.
 *
 * @throws ConfigurationError a variable is invalid
 * @throws OperatorError, StoreUnavailable, RightMissing
 */
export const grantReadRights = async (
  environment: Readonly<Record<string, string | undefined>>,
  user: string,
  output: Output,
): Promise<void> => {
  const { eventStoreDbUrl, eventStoreDbPrefix } = readVariables(environment, ['eventStoreDbUrl', 'eventStoreDbPrefix']);
  if (eventStoreDbUrl === null) {
    throw new OperatorError('EVENTSTOREDB_URL must be set: it names the server and a member of $admins.');
  }
  if (!/^[^\s:]+$/.test(user)) throw new OperatorError('The user name must not be empty or contain spaces or colons.');
  const connection = connect(eventStoreDbUrl);
  try {
    await grantReadAccess(connection, '$all', user, DEADLINE);
    await output.line(`${user} may read $all.`);
    for (const { name } of REGIONS.flatMap((region) => queuesOfRegion(region, CHECK_TYPE_NAMES))) {
      const stream = streamOfRegion(eventStoreDbPrefix, name);
      await grantReadAccess(connection, parkedStream(stream, GROUP), user, DEADLINE);
      await output.line(`${user} may read the parked runs of ${titleOfQueue(name)}.`);
    }
    await output.line('Membership of $ops covers everything else that Uptrail does.');
  } finally {
    await connection.close();
  }
};
