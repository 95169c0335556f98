import type { Actor } from '../domain/event.ts';
import { derivedId, derivedUuid } from '../domain/identity.ts';
import { systemActor } from '../domain/system-event.ts';
import type { Sealed } from '../domain/sealed.ts';
import type { Instant } from '../domain/time.ts';
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
  /** Whether `newId` has just made this id for a command that can't have come before: then nothing has it yet. */
  isNew: (id: string) => boolean;
  /** sealed under the actor's key */
  clientAddress?: Sealed;
  userAgent?: Sealed;
  /** what commands of this context appended, or found done before */
  appended: Appended;
}

export { derivedId, derivedUuid };

export type ContextInput = Omit<CommandContext, 'newId' | 'isNew' | 'appended'> &
  Partial<Pick<CommandContext, 'appended'>>;

export const commandContext = (input: ContextInput): CommandContext => {
  const made: string[] = [];
  return {
    appended: new Map(),
    ...input,
    newId: () => {
      const id = derivedId(`${input.commandId}:${made.length.toString()}`);
      made.push(id);
      return id;
    },
    isNew: (id) => !input.repeatable && made.includes(id),
  };
};

/** What the service does by itself, and why. */
export type OwnWork = Pick<CommandContext, 'organizationId' | 'commandId' | 'now'> &
  Partial<Pick<CommandContext, 'correlationId' | 'appended'>>;

/**
 * The context of what the service does by itself: a reactor, for an item of its list. It can come again after a
 * crash, so the command id follows from what is done.
 *
 * @param by the part of the service in whose name it is done
 */
export const reactorContext = (by: string, work: OwnWork): CommandContext =>
  commandContext({ correlationId: work.commandId, ...work, actor: systemActor(by), repeatable: true });

/**
 * The context of one step of a request that asks several commands of one stream, or a follow-up:
 * another command id, derived from the first; what is appended counts for the whole request.
 */
export const step = (context: CommandContext, name: string): CommandContext =>
  commandContext({ ...context, commandId: derivedUuid(`${context.commandId}/${name}`) });
