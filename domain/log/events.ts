import { Type } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';

/** Events about a log itself, in its stream `log-{name}`. */
export const logEvents = {
  /** The first event of a log. */
  LogOpened: { version: 1, data: Type.Object({ log_id: Type.String(), log: Type.String() }) },
  /** Appended by a reader to find out whether it has caught up (docs/decisions/0018-marks-instead-of-a-head.md). */
  LogMarked: { version: 1, data: Type.Object({ mark: Type.String() }) },
} as const satisfies EventDefinitions;

export type LogEvent = EventsOf<typeof logEvents>;
