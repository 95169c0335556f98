import { derivedUuid } from '../../domain/identity.ts';
import type { MailingTotals } from '../../domain/mailing/events.ts';
import { endMailing, mailingDecider } from '../../domain/mailing/mailing.ts';
import { instantOf } from '../../domain/time.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { CauseTotalsDocument } from '../../projections/deliveries/totals.ts';
import { MAILING } from '../../projections/mailings/projection.ts';
import { changeWork } from '../engine/changes.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { ChangeList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const MAILING_TOTALS = 'mailing-totals';

export interface MailingTotalsDependencies extends Pick<CommandDependencies, 'handle'> {
  /** milliseconds since 1970 */
  clock: () => number;
  list: ChangeList<CauseTotalsDocument>;
  todo: TodoProjection;
  /** called for each mailing that has ended */
  ended?: (totals: MailingTotals) => void;
}

/** Records in `main`, which forgets nothing, what mailings came to; also of those from before it was first active. */
export const mailingTotalsReactor = ({ list, todo, ...dependencies }: MailingTotalsDependencies): Reactor => ({
  name: MAILING_TOTALS,
  countsEarlier: true,
  todo,
  work: changeWork(MAILING_TOTALS, todo, list, recordTotals(dependencies)),
});

const recordTotals =
  ({ handle, clock, ended }: Omit<MailingTotalsDependencies, 'list' | 'todo'>) =>
  async ({ cause, ...item }: CauseTotalsDocument): Promise<Ending> => {
    const { organization_id: organizationId, planned, delivered, failed, begun_at, ended_at } = item;
    // It goes on, since one of its messages is tried again; or there was nobody to tell.
    if (cause.kind !== MAILING || ended_at === null || planned === 0) return done();
    const totals = { planned, delivered, failed, begun_at, ended_at };
    const commandId = derivedUuid(`${MAILING_TOTALS}/${cause.id}/${ended_at}`);
    const context = reactorContext(MAILING_TOTALS, { organizationId, commandId, now: instantOf(clock()) });
    await handle(cause.id, mailingDecider, (mailing) => endMailing(mailing, cause.id, totals), context);
    ended?.(totals);
    return done();
  };
