import type { Actor } from '../../domain/event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { systemActor } from '../../domain/system-event.ts';
import type { Precondition } from '../../domain/revision.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import type { Appended } from './appended.ts';

/** Who asks for a command, for which organization, when, and under which id. */
export interface CommandContext {
  actor: Actor;
  organizationId: string;
  correlationId: string;
  /** `metadata.command_id` of all events the command makes; the same id again does nothing twice */
  commandId: string;
  /** whether the same command can come again: with an `Idempotency-Key`, or from a reactor */
  repeatable: boolean;
  now: Instant;
  /** Ids of 12 characters, derived from `commandId`: the same command makes the same ids in the same order. */
  newId: () => string;
  /** what `newId` has made so far; the first one is that of the resource that a request creates */
  newIds: readonly string[];
  /** Whether `newId` has just made this id for a command that can't have come before: then nothing has it yet. */
  isNew: (id: string) => boolean;
  /** sealed under the actor's key */
  clientAddress?: Sealed;
  userAgent?: Sealed;
  /** what commands of this context appended, or found done before */
  appended: Appended;
  /**
   * Of a request, whose caller waits for an answer. While nothing has been appended for it, a command calls this before
   * it begins, and is not done where it throws: the caller was told so.
   */
  checkDeadline?: () => void;
  /** the `If-Match` of the request; undefined: it has none */
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
      const id = derivedId(`${input.commandId}:${made.length.toString()}`);
      made.push(id);
      return id;
    },
    isNew: (id) => !input.repeatable && made.includes(id),
  };
};

/** The actor and reason of what the service does by itself. */
export type OwnWork = Pick<CommandContext, 'organizationId' | 'commandId' | 'now'> &
  Partial<Pick<CommandContext, 'correlationId' | 'appended'>>;

/**
 * The context of a command that the service gives by itself, such as a reactor for an item of its list. It can come
 * again after a crash, so the command id is derived from the work.
 *
 * @param by the part of the service that acts
 */
export const reactorContext = (by: string, work: OwnWork): CommandContext =>
  commandContext({ correlationId: work.commandId, ...work, actor: systemActor(by), repeatable: true });

/**
 * The context of one step of a request that gives several commands to one stream, or of a follow-up: it has its own
 * command id, derived from the first. What it appends counts for the whole request.
 */
export const step = (context: CommandContext, name: string): CommandContext =>
  commandContext({ ...context, commandId: derivedUuid(`${context.commandId}/${name}`) });
