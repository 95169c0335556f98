import type { IncidentEvent } from '../../domain/incident/events.ts';
import type { ScheduleFields } from '../../domain/incident/fields.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';

/**
 * An automatic action: either a change to the status `move`, or a reminder that is sent `minutes` before the
 * maintenance begins.
 */
export type Done =
  | { move: string; at: Instant; told: boolean; automatic: boolean }
  | { minutes: number; scheduled_for: Instant; sent: boolean; at: Instant };

interface Snapshot {
  at: Instant;
  /** the cause of the change */
  by: 'schedule' | 'person' | 'clock';
  status: string;
  schedule: ScheduleFields;
}

interface Said {
  update: string | null;
  at: Instant;
  status: string;
}

const MINUTES: Record<string, number> = { d: 1_440, h: 60, m: 1 };

const minutesIn = (intervals: string): number[] =>
  intervals.split(',').map((text) => Number.parseInt(text, 10) * (MINUTES[text.trim().slice(-1)] ?? 0));

const earlier = (at: Instant, minutes: number): Instant => instantOf(millisecondsOf(at) - minutes * 60_000);

const latest = (...times: Instant[]): Instant => times.sort().at(-1) ?? '';

export const doneBy = (event: IncidentEvent): Done => {
  if (event.type === 'IncidentStatusChanged') {
    const { changes, changed_at, deliver_notifications, automatic } = event.data;
    return { move: changes.status, at: changed_at, told: deliver_notifications, automatic };
  }
  if (event.type === 'MaintenanceReminded' || event.type === 'MaintenanceReminderMissed') {
    const { offset, scheduled_for } = event.data;
    const sent = event.type === 'MaintenanceReminded';
    const at = event.type === 'MaintenanceReminded' ? event.data.reminded_at : event.data.missed_at;
    return { minutes: minutesIn(offset)[0] ?? 0, scheduled_for, sent, at };
  }
  throw new Error(`The clock does not do this: ${event.type}.`);
};

/**
 * A reference model of the automatic actions in docs/reference/maintenance.md. It computes everything from the whole
 * history of a maintenance, so it is slow but simple.
 */
export const plainMaintenance = () => {
  const history: Snapshot[] = [];
  const updates: Said[] = [];
  const reminded: { minutes: number; scheduled_for: Instant }[] = [];

  const last = (): Snapshot => {
    const snapshot = history.at(-1);
    if (!snapshot) throw new Error('Nothing has happened yet.');
    return snapshot;
  };
  const status = (): string =>
    [...updates].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).at(-1)?.status ?? '';
  const become = (at: Instant, by: Snapshot['by'], changes: Partial<ScheduleFields> = {}): void => {
    history.push({ at, by, status: status(), schedule: { ...last().schedule, ...changes } });
  };

  /** Returns the status change that is due automatically in this state, with its time. */
  const moveIn = ({ status, schedule }: Snapshot): [to: string, at: Instant] | null => {
    if (status === 'scheduled' && schedule.scheduled_auto_in_progress) return ['in_progress', schedule.scheduled_for];
    if (status === 'in_progress' && schedule.scheduled_auto_completed) return ['completed', schedule.scheduled_until];
    return null;
  };
  const remindersIn = ({ status, schedule }: Snapshot): number[] =>
    status === 'scheduled' && schedule.scheduled_remind_prior ? minutesIn(schedule.reminder_intervals ?? '60m') : [];

  /** Returns the first snapshot of the latest period in which a condition has been true. */
  const since = (holds: (snapshot: Snapshot) => boolean): Snapshot =>
    history[history.findLastIndex((snapshot) => !holds(snapshot)) + 1] ?? last();

  const nextDone = (now: Instant): Done | null => {
    const { schedule } = last();
    const { scheduled_for } = schedule;
    const owed = remindersIn(last()).filter((minutes) => {
      const due = earlier(scheduled_for, minutes);
      const wanted = since(
        (snapshot) => remindersIn(snapshot).includes(minutes) && snapshot.schedule.scheduled_for === scheduled_for,
      );
      const had = reminded.some((one) => one.minutes === minutes && one.scheduled_for === scheduled_for);
      return due > wanted.at && due <= now && !had;
    });
    if (owed.length > 0) {
      for (const minutes of owed) reminded.push({ minutes, scheduled_for });
      return { minutes: Math.min(...owed), scheduled_for, sent: scheduled_for > now, at: now };
    }
    const move = moveIn(last());
    if (!move) return null;
    const [to, scheduled] = move;
    const set = since((snapshot) => JSON.stringify(moveIn(snapshot)) === JSON.stringify(move));
    if (set.by === 'person' && set.at >= scheduled) return null;
    const due = latest(scheduled, set.at);
    if (due > now) return null;
    const at = latest(due, ...updates.map((one) => one.at));
    const told =
      to === 'in_progress'
        ? schedule.auto_transition_deliver_notifications_at_start
        : schedule.auto_transition_deliver_notifications_at_end;
    updates.push({ update: null, at, status: to });
    become(at, 'clock');
    return { move: to, at, told, automatic: true };
  };

  return {
    status,

    /** Records an event that a user has caused. */
    happened: (event: IncidentEvent): void => {
      switch (event.type) {
        case 'MaintenanceScheduled': {
          const { created_at: at, schedule, update } = event.data;
          updates.push({ update: update.id, at, status: update.status });
          history.push({ at, by: 'schedule', status: update.status, schedule });
          return;
        }
        case 'IncidentChanged':
          become(event.data.changed_at, 'schedule', event.data.changes);
          return;
        case 'IncidentStatusChanged':
          updates.push({ update: null, at: event.data.changed_at, status: event.data.changes.status });
          become(event.data.changed_at, 'person');
          return;
        case 'IncidentUpdateAppended': {
          const { id, created_at: at, status } = event.data.update;
          updates.push({ update: id, at, status });
          become(at, 'person');
          return;
        }
        case 'IncidentUpdateEdited': {
          const edited = updates.find(({ update }) => update === event.data.incident_update_id);
          if (edited) edited.at = event.data.changes.created_at ?? edited.at;
          become(event.data.edited_at, 'person');
          return;
        }
        case 'IncidentUpdateRemoved':
          updates.splice(
            updates.findIndex(({ update }) => update === event.data.incident_update_id),
            1,
          );
          become(event.data.removed_at, 'person');
          return;
        default:
          throw new Error(`Nobody does this here: ${event.type}.`);
      }
    },

    /** Returns the automatic steps that are due by now, in order, and marks them as done. */
    doneBy: (now: Instant): Done[] => {
      const done: Done[] = [];
      for (let next = nextDone(now); next; next = nextDone(now)) done.push(next);
      return done;
    },
  };
};
