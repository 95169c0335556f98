import type { Actor } from '../../domain/event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { systemActor } from '../../domain/system-event.ts';
import type { Precondition } from '../../domain/revision.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import type { Appended } from './appended-positions.ts';

/** The context of a command: its actor, organization, time and id. */
export interface CommandContext {
  actor: Actor;
  organizationId: string;
  correlationId: string;
  /** Stored in `metadata.command_id` of all events of the command. Commands with the same id are executed only once. */
  commandId: string;
  /** Whether the command might be repeated. Requests with an `Idempotency-Key` and reactors repeat commands. */
  repeatable: boolean;
  now: Instant;
  /** Creates ids of 12 characters derived from `commandId`: a repeated command gets the same ids in the same order. */
  newId: () => string;
  /** The ids that `newId` has created so far. The first one is the id of the resource that the request creates. */
  newIds: readonly string[];
  /**
   * Tests whether no stream with this id can exist, because `newId` created the id and the command is never repeated.
   */
  isNew: (id: string) => boolean;
  /** sealed under the actor's key */
  clientAddress?: Sealed;
  userAgent?: Sealed;
  /**
   * Positions of the events that commands of this context appended. Events of an earlier run of a command count, too.
   */
  appended: Appended;
  /**
   * Throws if the request has timed out, which means that the caller has got a 503 response. Set only for requests. A
   * command calls this function before it starts, so that it does not run after a timeout. Commands that start after
   * the request has appended its first event do not call this function.
   */
  checkDeadline?: () => void;
  /** Precondition of the request (header `If-Match`). Undefined if the request has none. */
  precondition?: Precondition | undefined;
}

export { derivedId, derivedUuid };

export type ContextInput = Omit<CommandContext, 'newId' | 'newIds' | 'isNew' | 'appended'> &
  Partial<Pick<CommandContext, 'appended'>>;

export const commandContext = (input: ContextInput): CommandContext => {
  const made: string[] = [];
  return {
    appended: new Map(),
    ...input,
    newIds: made,
    newId: () => {
      const id = derivedId(`${input.commandId}:${made.length}`);
      made.push(id);
      return id;
    },
    isNew: (id) => !input.repeatable && made.includes(id),
  };
};

/** The organization, command id and time of a command that the service issues itself. */
export type WorkItem = Pick<CommandContext, 'organizationId' | 'commandId' | 'now'> &
  Partial<Pick<CommandContext, 'correlationId' | 'appended'>>;

/**
 * Creates the context of a command that the service issues itself, such as the command of a reactor for an item of its
 * work list. The command can be repeated after a crash, so its id must be derived from the work item.
 *
 * @param by name of the part of the service that acts
 */
export const reactorContext = (by: string, work: WorkItem): CommandContext =>
  commandContext({ correlationId: work.commandId, ...work, actor: systemActor(by), repeatable: true });

/**
 * Creates the context of one step of a request that sends several commands to the same stream, or of a follow-up
 * command. The command id of the step is derived from that of `context`. Both contexts share the appended positions.
 */
export const stepContext = (context: CommandContext, name: string): CommandContext =>
  commandContext({ ...context, commandId: derivedUuid(`${context.commandId}/${name}`) });
