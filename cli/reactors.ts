import { randomUUID } from 'node:crypto';
import { readHaltReason, resumeReactors } from '../reactors/engine/checkpoint.ts';
import {
  listFailedItems,
  listReactors,
  retryItems,
  type FailedItemListing,
  type ReactorListing,
} from '../reactors/engine/dead-letters.ts';
import { dropDeliveries } from '../reactors/delivery/dropped-deliveries.ts';
import { REACTOR_NAMES, REACTORS } from '../reactors/index.ts';
import type { Config } from '../service/config/config.ts';
import { REACTOR_REQUESTED, notifyService } from '../service/command-socket.ts';
import { OperatorError } from '../service/operator-error.ts';
import { printable, table, type Output } from '../service/output.ts';
import { isClusterSite, isServiceRunning, openCoordination, openLog, siteOf } from '../service/stores.ts';
import { markLog } from '../projections/engine/feed/log-marks.ts';
import { findPendingDeliveries, showPending } from './deliveries/pending.ts';
import { openConfiguredReadModels } from './read-models.ts';

/** Maximum number of failed items in a table. `--json` shows up to SHOWN_AS_JSON. */
const SHOWN = 50;
const SHOWN_AS_JSON = 100_000;

export interface ReactorListings {
  reactors: readonly ReactorListing[];
  /** the first failed items of all reactors */
  items: readonly FailedItemListing[];
}

/** `uptrail reactors`: lists reactors with their state, and failed items. Works with or without a running service. */
export const runListReactors = async (config: Config, { json }: { json: boolean }, output: Output): Promise<void> => {
  const site = siteOf(config);
  const { read, close } = await openConfiguredReadModels(config);
  const coordination = await openCoordination(site);
  try {
    const options = { coordination, now: Date.now(), serviceRuns: isServiceRunning(site) };
    const reactors = await listReactors(REACTORS, read, options);
    const items = await listFailedItems(REACTOR_NAMES, coordination, json ? SHOWN_AS_JSON : SHOWN);
    await showReactors({ reactors, items }, { json }, output);
  } finally {
    await coordination.close();
    await close();
  }
};

export const showReactors = async (
  { reactors, items }: ReactorListings,
  { json }: { json: boolean },
  output: Output,
): Promise<void> => {
  if (json) {
    for (const { name, ...reactor } of reactors) await output.line(JSON.stringify({ reactor: name, ...reactor }));
    for (const item of items) await output.line(JSON.stringify(shownItem(item)));
    return;
  }
  const headings = ['REACTOR', 'STATE', 'HANDLED', 'WAITING', 'RETRYING', 'FAILED', 'OLDEST'];
  for (const line of table(headings, reactors.map(cells))) await output.line(line);
  if (items.length === 0) return;
  await output.line('');
  const rows = items.map(({ reactor, id, state, tries, since, reason }) => [
    printable(id),
    reactor,
    state === 'given_up' ? 'failed' : 'retrying',
    tries.toString(),
    timeOf(since).slice(0, 19),
    printable(reason),
  ]);
  for (const line of table(['ITEM', 'REACTOR', 'STATE', 'TRIES', 'SINCE (UTC)', 'REASON'], rows)) {
    await output.line(line);
  }
  const all = reactors.reduce((sum, { retrying, given_up }) => sum + retrying + given_up, 0);
  if (all > items.length) await output.line(`… and ${all - items.length} more: use --json to show all.`);
};

const cells = ({ name, state, handled, waiting, retrying, given_up, oldest_seconds }: ReactorListing): string[] => [
  name,
  state,
  handled.toString(),
  waiting?.toString() ?? '?',
  retrying.toString(),
  given_up.toString(),
  oldest_seconds === null ? '-' : `${oldest_seconds} s`,
];

const shownItem = ({ reactor, id, state, tries, again, tried, since, reason }: FailedItemListing) => ({
  reactor,
  item: id,
  state,
  tries,
  tried_at: timeOf(tried),
  again_at: state === 'given_up' ? null : timeOf(again),
  since: timeOf(since),
  reason,
});

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/**
 * `uptrail reactors retry`: retries failed items of a reactor immediately.
 *
 * @throws OperatorError the reactor or the item does not exist
 */
export const runRetryItems = async (
  config: Config,
  { reactor, id }: { reactor: string; id: string | undefined },
  output: Output,
): Promise<void> => {
  if (!REACTOR_NAMES.includes(reactor)) {
    throw new OperatorError(`The reactor "${reactor}" does not exist. Use one of ${REACTOR_NAMES.join(', ')}.`);
  }
  const site = siteOf(config);
  const coordination = await openCoordination(site);
  try {
    const items = await retryItems(coordination, reactor, id ?? null, randomUUID());
    if (items === 0 && id !== undefined) {
      throw new OperatorError(
        `The reactor ${reactor} has no failed item "${id}". Run uptrail reactors to list failed items.`,
      );
    }
    if (!isClusterSite(site)) await notifyService(site, REACTOR_REQUESTED);
    const halted = (await readHaltReason(coordination)) !== null;
    const when = halted ? 'after uptrail reactors resume' : isServiceRunning(site) ? 'now' : 'when the service starts';
    await output.line(
      items === 0
        ? `The reactor ${reactor} has no failed items.`
        : `${items === 1 ? '1 item' : `${items} items`} will be retried ${when}.`,
    );
  } finally {
    await coordination.close();
  }
};

/** What to do with messages that wait to be delivered. null: the operator has not chosen. */
export type WaitingMessagesChoice = 'send' | 'drop' | null;

/**
 * `uptrail reactors resume`: resumes reactors, which are halted after a backup is restored. Messages that are pending
 * in the backup may have been delivered after the backup was made. So the operator has to choose between sending and
 * dropping them.
 *
 * @throws OperatorError messages are or may be pending, and the operator has not chosen
 */
export const runResumeReactors = async (
  config: Config,
  undelivered: WaitingMessagesChoice,
  output: Output,
): Promise<void> => {
  const coordination = await openCoordination(siteOf(config));
  try {
    const reason = await readHaltReason(coordination);
    if (reason === null) {
      await output.line('Reactors are not halted.');
      return;
    }
    if (undelivered === null) await requireChoice(config, output);
    if (undelivered === 'drop') await dropDeliveries(coordination, await endOfResults(config));
    await resumeReactors(coordination, REACTOR_NAMES);
    await output.line(`Reactors are running again. They were halted for this reason: ${reason}`);
    if (undelivered === 'drop')
      await output.line('Waiting messages were dropped. Run uptrail deliveries to list them.');
  } finally {
    await coordination.close();
  }
};

const HOW =
  'Use --send to deliver waiting messages, or --drop to drop them: they may have been delivered after the backup was made.';

const requireChoice = async (config: Config, output: Output): Promise<void> => {
  const pending = await findPendingDeliveries(config);
  if (!pending) throw new OperatorError(`Waiting messages can be determined only while the service runs. ${HOW}`);
  if (pending.count === 0) return;
  await showPending(pending, output);
  const count = pending.count === 1 ? 'One message is waiting' : `${pending.count} messages are waiting`;
  throw new OperatorError(`${count} to be delivered. ${HOW}`);
};

const endOfResults = async (config: Config): Promise<bigint> => {
  const results = await openLog(siteOf(config), 'results', 'appender');
  try {
    return await markLog(results, Date.now());
  } finally {
    await results.close();
  }
};
