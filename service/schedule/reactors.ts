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

/**
 * Time in milliseconds for which an event with the outcome of an action waits for further events, so that one append
 * stores all of them. The time must not exceed 500 (stores/event-store/batches.ts).
 */
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
  /**
   * Registers a callback that is called when a command makes a request to reactors.
   *
   * @returns a function that unregisters the callback
   */
  onRequest: (callback: () => void) => () => void;
  troubles: TroubleLog;
  logger: Logger;
}

export interface Reactors {
  /** Stops all reactors. Resolves when their work in progress is finished. */
  stop: () => Promise<void>;
  /** Rejects when a reactor had to stop because of an error. */
  ended: Promise<void>;
}

/** Runs all reactors, which perform automatic actions. An action is caused by the passing of time or by an event. */
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
  // Each reactor adds a listener to the signal. Without this call, Node.js would report more than ten listeners as a
  // leak.
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
  // Without this handler, a failure would be reported as an unhandled rejection if no caller awaits `ended`.
  ended.catch(() => undefined);
  return {
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};
