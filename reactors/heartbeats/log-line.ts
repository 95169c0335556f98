import type { WriteLine } from '../context.ts';
import type { HeartbeatChange } from './settle.ts';

/** Returns a function that writes a log line when a heartbeat goes down or recovers. */
export const heartbeatLogLine =
  (line: WriteLine) =>
  ({ event, name }: HeartbeatChange): void => {
    if (event.type === 'HeartbeatWentDown') {
      const { because, down_at } = event.data;
      line('warn', { because, down_at }, `Heartbeat "${name}" went down.`);
    } else if (event.type === 'HeartbeatRecovered') {
      line('info', { duration: event.data.duration }, `Heartbeat "${name}" recovered.`);
    }
  };
