import { openLogIdentity as idOfLog, readLogIdentity } from '../../stores/event-store/identity.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { REACTORS_HALTED, type Coordination } from '../../stores/coordination/port.ts';
import { OperatorError } from '../operator-error.ts';

export interface LogIdentity {
  /** id of the log `main` */
  logId: string;
  /** whether the log `main` contains only its opening events */
  isNew: boolean;
}

/** The logs of a deployment, and the store that remembers their ids. */
export interface RememberedDeployment<C = Pick<Coordination, 'read' | 'catalogue'>> {
  main: EventStore;
  results: EventStore;
  coordination: C;
  /** the prefix of stream names; null if the logs have a folder to themselves */
  prefix: string | null;
  /**
   * returns a sentence part that names other evidence that a service was here before, for messages; null if there is
   * none
   */
  leftBehind?: () => string | null;
}

const nameOf = (log: string): string => `log:${log}`;
const PREFIX = 'log:prefix';
/** Formats a prefix as in EVENTSTOREDB_PREFIX. */
const written = (prefix: string): string => (prefix === '' ? 'none' : prefix);

/**
 * Rejects logs that do not belong to the rest of the deployment. A process that continued with such logs would append
 * to the log of another service, or discard the read models of that service. Writes nothing.
 *
 * @throws OperatorError the deployment belongs to other logs or to streams with another prefix, or a log was lost
 */
export const refuseOtherLogs = async (deployment: RememberedDeployment): Promise<void> => {
  const { main, results, coordination, prefix, leftBehind } = deployment;
  await refuseOtherPrefix(deployment);
  // Read the catalogue and the stored id of a log before the log itself. A process that begins a log stores these data
  // only afterwards, so if they exist, the log must exist too.
  const hasRun = (await coordination.catalogue()).length > 0;
  for (const log of [main, results]) {
    const known = await coordination.read(nameOf(log.name));
    const id = await readLogIdentity(log);
    if (id === null) {
      const witness = known !== null || hasRun ? 'the coordination data' : log === main ? leftBehind?.() : null;
      if (witness) throw lost(log.name, { witness, id: known, prefix });
    } else if (known !== null && id !== known) throw other(log.name, { known, id, prefix });
  }
};

/**
 * Rejects a deployment with another prefix. Called without the other checks if the logs are about to be filled.
 *
 * @throws OperatorError the deployment belongs to streams with another prefix
 */
export const refuseOtherPrefix = async ({
  coordination,
  prefix,
}: Pick<RememberedDeployment, 'coordination' | 'prefix'>): Promise<void> => {
  if (prefix === null) return;
  const hasRun = (await coordination.catalogue()).length > 0;
  const main = await coordination.read(nameOf('main'));
  // Read the prefix last, because other processes write it first. A service that was started before prefixes existed
  // has stored no prefix, which means `none`.
  const known = (await coordination.read(PREFIX)) ?? (main !== null || hasRun ? 'none' : null);
  if (known !== null && known !== written(prefix)) throw otherPrefix({ known, main, prefix });
};

const otherPrefix = ({ known, main, prefix }: { known: string; main: string | null; prefix: string }): OperatorError =>
  new OperatorError(
    `The database of MONGODB_URL belongs to the log main${main === null ? '' : ` ${main}`} ${streamsWith(known)}, but ` +
      `EVENTSTOREDB_PREFIX is ${written(prefix)}: nothing was read or changed. To continue with that log, set ` +
      `EVENTSTOREDB_PREFIX=${known}. To start another one, or to move that one with uptrail export and uptrail import, ` +
      'name an empty database.',
  );

/**
 * Rejects the import of an export if the deployment belongs to another service.
 *
 * @param id id of the log `main` of the export
 * @throws OperatorError the deployment belongs to another log
 */
export const refuseOtherService = async (
  id: string,
  { coordination, prefix }: Pick<RememberedDeployment, 'coordination' | 'prefix'>,
): Promise<void> => {
  const known = await coordination.read(nameOf('main'));
  if (known === null || known === id) return;
  throw new OperatorError(
    `The export belongs to the log main ${id}, but the coordination data belongs to the log main ${known}: ` +
      `nothing was imported. Name ${prefix === null ? 'a new DATA_DIR' : 'an empty database (MONGODB_URL)'}.`,
  );
};

/** Number of opening events of a log. They are followed by the events of the bootstrap and by marker events. */
const OPENING = 1;

/**
 * Verifies that both logs belong to the deployment, or begins them at the first start. If a log exists but the progress
 * of the reactors is unknown, halts the reactors. Example: only the log was restored.
 *
 * @throws OperatorError see `refuseOtherLogs`
 */
export const recognizeLogs = async (
  deployment: RememberedDeployment<Pick<Coordination, 'read' | 'write' | 'writeOnce' | 'catalogue'>>,
): Promise<LogIdentity> => {
  const { main, results, coordination, prefix } = deployment;
  const hasRun = (await coordination.catalogue()).length > 0;
  await refuseOtherLogs(deployment);
  const begun = await hasBegun(main);
  const remembersMain = (await coordination.read(nameOf(main.name))) !== null;
  await rememberPrefix(coordination, prefix);
  if (begun && !remembersMain && !hasRun) await coordination.write(REACTORS_HALTED, FORGOTTEN);
  const remembered = async (log: EventStore): Promise<string> => {
    const id = await idOfLog(log);
    const known = await coordination.writeOnce(nameOf(log.name), id);
    if (known !== id) throw other(log.name, { known, id, prefix });
    return id;
  };
  const logId = await remembered(main);
  await remembered(results);
  return { logId, isNew: !begun };
};

const hasBegun = async (log: EventStore): Promise<boolean> =>
  (await log.first()) !== null && (await log.readAll({ after: 0n, limit: OPENING + 1 })).length > OPENING;

/** @throws OperatorError another process that started at the same time uses another prefix */
const rememberPrefix = async (coordination: Pick<Coordination, 'writeOnce'>, prefix: string | null): Promise<void> => {
  if (prefix === null) return;
  const known = await coordination.writeOnce(PREFIX, written(prefix));
  if (known !== written(prefix)) throw otherPrefix({ known, main: null, prefix });
};

/** Records that a log was imported on purpose, so that the first start of the deployment accepts it. */
export const acceptLog = async (
  log: EventStore,
  { coordination, prefix }: { coordination: Pick<Coordination, 'write' | 'writeOnce'>; prefix: string | null },
): Promise<void> => {
  const id = await readLogIdentity(log);
  if (id === null) return;
  await rememberPrefix(coordination, prefix);
  await coordination.write(nameOf(log.name), id);
};

const FORGOTTEN = 'The log exists, but the record of what reactors have processed is missing.';

interface LogsFound {
  prefix: string | null;
}

/**
 * Describes the streams of a log in a sentence.
 *
 * @param prefix as in EVENTSTOREDB_PREFIX; `none`: no prefix
 */
const streamsWith = (prefix: string): string =>
  prefix === 'none' ? 'in streams without a prefix' : `in streams that begin with ${prefix}`;
const among = (prefix: string | null): string => (prefix === null ? '' : ` ${streamsWith(written(prefix))}`);

const lost = (
  name: string,
  { witness, id, prefix }: LogsFound & { witness: string; id: string | null },
): OperatorError =>
  new OperatorError(
    `The log ${name} is empty${among(prefix)}, but ${witness} refers to one${id === null ? '' : ` (${id})`}: it was ` +
      'lost. Restore it from a backup. To start over nevertheless, move everything that is left away.',
  );

const other = (name: string, { known, id, prefix }: LogsFound & { known: string; id: string }): OperatorError =>
  new OperatorError(
    `The coordination data belongs to the log ${name} ${known}, but the existing log${among(prefix)} is ` +
      `${id}: nothing was changed. ${
        prefix === null
          ? 'Put both from one backup into the data folder.'
          : 'Name the server and prefix of the former (EVENTSTOREDB_URL, EVENTSTOREDB_PREFIX) or the database of the latter ' +
            '(MONGODB_URL; an empty one is filled from the log).'
      }`,
  );
