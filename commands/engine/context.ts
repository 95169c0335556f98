import type { Actor } from '../../domain/event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { systemActor } from '../../domain/system-event.ts';
import type { Precondition } from '../../domain/revision.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import type { Appended } from './appended-positions.ts';

/** Who issues a command, for which organization, when, and under which id. */
export interface CommandContext {
  actor: Actor;
  organizationId: string;
  correlationId: string;
  /** `metadata.command_id` of all events of the command. A command with the same id is executed only once */
  commandId: string;
  /** whether the same command can be repeated: requests with an `Idempotency-Key`, and reactors */
  repeatable: boolean;
  now: Instant;
  /** Creates ids of 12 characters derived from `commandId`: a repeated command gets the same ids in the same order. */
  newId: () => string;
  /** the ids that `newId` has created so far; the first is that of the resource that a request creates */
  newIds: readonly string[];
  /** Whether `newId` created this id for a command that is never repeated, so that no stream with this id exists. */
  isNew: (id: string) => boolean;
  /** sealed under the actor's key */
  clientAddress?: Sealed;
  userAgent?: Sealed;
  /** the positions of the events that commands of this context appended, or that an earlier run of them appended */
  appended: Appended;
  /**
   * Only for requests: throws if the request has timed out and the caller has a 503 response. Commands call it before
   * they start, until the request has appended its first event. If it throws, the command does not run.
   */
  checkDeadline?: () => void;
  /** from the `If-Match` header of the request; undefined without one */
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
 * The context of a command that the service issues itself, such as a reactor for an item of its work list. A crash can
 * repeat the command, so its id must be derived from the work item.
 *
 * @param by the part of the service that acts
 */
export const reactorContext = (by: string, work: WorkItem): CommandContext =>
  commandContext({ correlationId: work.commandId, ...work, actor: systemActor(by), repeatable: true });

/**
 * The context of one step of a request that sends several commands to one stream, or of a follow-up command. It has
 * its own command id, derived from the first. The events that it appends count for the whole request.
 */
export const stepContext = (context: CommandContext, name: string): CommandContext =>
  commandContext({ ...context, commandId: derivedUuid(`${context.commandId}/${name}`) });
