import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { presentIncident } from '../../api/v1/incidents/present.ts';
import { systemClock } from '../../network/clock.ts';
import { createReactorContext, type ReactorParts } from '../../reactors/context.ts';
import { createAlarm } from '../../reactors/engine/alarm.ts';
import { CLOCK_CHECK_MS, runReactor } from '../../reactors/engine/loop.ts';
import { REACTORS } from '../../reactors/index.ts';
import { appendMissing } from '../../stores/event-store/append-missing.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import { createTextRenderer } from '../threads/mail-texts.ts';
import { reportFile } from '../threads/report-files.ts';
import type { TroubleLog } from '../trouble-log.ts';
import { createAlertViews } from './alert-views.ts';

/** How long an outcome waits to share an append, milliseconds; 500 at most (stores/event-store/batches.ts). */
const SHARED_APPENDS = { wait: 5 };

type OwnDependencies =
  | 'appendMissing'
  | 'batches'
  | 'renderTexts'
  | 'renderReport'
  | 'shownIncident'
  | 'shownAlert'
  | 'line'
  | 'coordination';

export interface ReactorsOptions extends Omit<ReactorParts, OwnDependencies> {
  coordination: Coordination;
  /** Registers a callback for requests of commands to reactors. @returns unregisters it */
  onRequest: (callback: () => void) => () => void;
  troubles: TroubleLog;
  logger: Logger;
}

export interface Reactors {
  /** Resolves when their present work is finished. */
  stop: () => Promise<void>;
  /** Rejects when one of them had to stop. */
  ended: Promise<void>;
}

/** Runs all reactors: automatic actions caused by time or by other events. */
export const startReactors = ({ onRequest, troubles, logger, ...given }: ReactorsOptions): Reactors => {
  const { coordination, clock, results } = given;
  const context = createReactorContext({
    ...given,
    appendMissing: async (stream, event, since) => (await appendMissing(results, stream, [event], since)).last,
    batches: createBatches({ log: results, after: systemClock.after, limits: SHARED_APPENDS }),
    renderTexts: createTextRenderer(),
    renderReport: reportFile,
    shownIncident: presentIncident,
    shownAlert: createAlertViews(given),
    line: (level, fields, line) => {
      logger[level](fields, line);
    },
  });
  const alarm = createAlarm(clock, CLOCK_CHECK_MS);
  const stopping = new AbortController();
  // Each reactor adds a listener, and Node.js reports more than ten as a leak.
  setMaxListeners(0, stopping.signal);
  const running = REACTORS.map((reactor) =>
    runReactor(reactor.begin(context), {
      coordination,
      clock,
      alarm,
      onRequest,
      log: (level, message, fields, error) => {
        if (error === undefined) logger[level](fields, message);
        else troubles.report(message, error);
      },
      signal: stopping.signal,
    }),
  );
  const ended = Promise.all(running).then(() => undefined);
  // The failure also rejects `ended`, which may have no handler.
  ended.catch(() => undefined);
  return {
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};
