import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import { SELF_HOSTED } from '../../domain/organization/plans.ts';
import { presentIncident } from '../../api/v1/incidents/present.ts';
import { renderTexts } from '../../messages/mail/texts.ts';
import { systemClock } from '../../network/clock.ts';
import { createReactorContext, type ReactorContext, type ReactorParts } from '../../reactors/context.ts';
import type { Reactor } from '../../reactors/engine/loop.ts';
import { REACTORS } from '../../reactors/index.ts';
import { reportFile } from '../../service/threads/report-files.ts';
import { createAlertViews } from '../../service/schedule/alert-views.ts';
import { appendMissing } from '../../stores/event-store/append-missing.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import { createMemoryKeys } from '../../stores/keys/memory.ts';

/** The parts that a test provides. All other parts do nothing, or throw if they would have an external effect. */
export type TestParts = Pick<ReactorParts, 'handle' | 'main' | 'results' | 'readers' | 'statuses'> &
  Partial<ReactorParts>;

const nothing = (what: string) => (): Promise<never> => Promise.reject(new Error(`Nothing is ${what} here.`));

/** Returns the context of a process's reactors. */
export const contextOf = (given: TestParts): ReactorContext => {
  const { results, readers, plans = SELF_HOSTED, clock = Date.now, publicUrl = null } = given;
  const keys = given.keys ?? createMemoryKeys();
  return createReactorContext({
    lookUpTexts: nothing('looked up'),
    mails: false,
    payments: null,
    logWatches: null,
    coordination: { read: async () => null, write: async () => undefined },
    artifacts: { store: nothing('stored'), remove: nothing('removed') },
    startRun: nothing('started'),
    served: async () => ({
      defaultRegion: defaultRegionOf(REGIONS),
      abilities: { get: () => undefined, has: () => true },
    }),
    queueIsDurable: false,
    operatorsOrganization: '',
    askWebhook: nothing('asked'),
    notifiers: new Map(),
    perSecond: 1,
    appendMissing: async (stream, event, since) => (await appendMissing(results, stream, [event], since)).last,
    batches: createBatches({ log: results, after: systemClock.after, limits: { wait: 5 } }),
    renderTexts: async (texts) => renderTexts(texts),
    renderReport: reportFile,
    shownIncident: presentIncident,
    shownAlert: createAlertViews({ readers, plans, keys, publicUrl, clock }),
    line: () => undefined,
    ...given,
    plans,
    keys,
    clock,
    publicUrl,
  });
};

/** Returns all reactors of a process. */
export const reactorsOf = (given: TestParts): Reactor[] => {
  const context = contextOf(given);
  return REACTORS.map((reactor) => reactor.begin(context));
};
