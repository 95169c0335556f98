import { openLog as idOfLog } from '../stores/event-store/identity.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { REACTORS_HALTED, type Coordination } from '../stores/coordination/port.ts';
import { CommandError } from './output.ts';

export interface LogIdentity {
  /** of the log `main` */
  logId: string;
  /** whether nothing has happened in it yet */
  isNew: boolean;
}

interface Known {
  main: EventStore;
  results: EventStore;
  coordination: Pick<Coordination, 'read' | 'write' | 'catalogue'>;
  /** what else there is that a service must have left behind, for a person; null when there is nothing */
  leftBehind?: () => string | null;
}

const nameOf = (log: string): string => `log:${log}`;

const isEmpty = async (log: EventStore): Promise<boolean> => (await log.readAll({ after: 0n, limit: 1 })).length === 0;

/** What a log holds at once when it begins; bootstrap and marks come after it. */
const OPENING = 1;

/**
 * Recognizes both logs, or begins them at the first start. Whatever else is there may know of a log that was there
 * before: then a log that is absent has been lost, and is not to be replaced by a new one. And where nothing
 * remembers what automatic actions have done with a log that is there, as after it was restored alone, they halt.
 *
 * @throws CommandError a log was lost
 */
export const recognizeLogs = async ({ main, results, coordination, leftBehind }: Known): Promise<LogIdentity> => {
  // Asked before the logs are: another process that begins one at this moment says so only afterwards.
  const hasRun = (await coordination.catalogue()).length > 0;
  for (const log of [main, results]) {
    const known = await coordination.read(nameOf(log.name));
    const witness = known !== null || hasRun ? 'what coordinates the service' : log === main ? leftBehind?.() : null;
    if (witness && (await isEmpty(log))) throw lost(log.name, witness, known);
  }
  const begun = (await main.readAll({ after: 0n, limit: OPENING + 1 })).length > OPENING;
  const knowsMain = (await coordination.read(nameOf(main.name))) !== null;
  const logId = await idOfLog(main);
  if (begun && !knowsMain && !hasRun) await coordination.write(REACTORS_HALTED, FORGOTTEN);
  await coordination.write(nameOf(main.name), logId);
  await coordination.write(nameOf(results.name), await idOfLog(results));
  return { logId, isNew: !begun };
};

/** Tells a deployment that a log was brought there on purpose, so that its first start finds nothing amiss. */
export const welcomeLog = async (log: EventStore, coordination: Pick<Coordination, 'write'>): Promise<void> => {
  if (!(await isEmpty(log))) await coordination.write(nameOf(log.name), await idOfLog(log));
};

const FORGOTTEN = 'The log was there, but nothing that remembers what automatic actions have done with it.';

const lost = (name: string, witness: string, id: string | null): CommandError =>
  new CommandError(
    `The log ${name} is empty, but ${witness} knows of one${id === null ? '' : ` (${id})`}: it was lost. ` +
      'Restore it from a backup. To begin anew all the same, move everything that is left away.',
  );
