import { createHash } from 'node:crypto';
import type { Actor, Sealed } from '../domain/event.ts';
import type { Instant } from '../domain/time.ts';

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
  /** sealed under the actor's key */
  clientAddress?: Sealed;
  userAgent?: Sealed;
  /** Highest position that commands of this context appended, by log; readers wait for it. */
  appended: Map<string, bigint>;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** 12 lowercase letters and digits that follow from the text (spec.md: Conventions, Identifiers). */
export const derivedId = (text: string): string => {
  const digest = createHash('sha256').update(text).digest();
  let id = '';
  // 256 is not a multiple of 36: bytes from 252 on are passed over, so that all characters are equally likely.
  for (let i = 0; id.length < 12 && i < digest.length; i++) {
    const byte = digest[i] ?? 255;
    if (byte < 252) id += ALPHABET[byte % 36] ?? '';
  }
  return id.length === 12 ? id : derivedId(`${text}+`);
};

/** A UUID that follows from the text. */
export const derivedUuid = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export type ContextInput = Omit<CommandContext, 'newId' | 'appended'> & Partial<Pick<CommandContext, 'appended'>>;

export const commandContext = (input: ContextInput): CommandContext => {
  let made = 0;
  return {
    appended: new Map(),
    ...input,
    newId: () => derivedId(`${input.commandId}:${(made++).toString()}`),
  };
};

/**
 * The context of one step of a request that asks several commands of one stream, or a follow-up:
 * another command id, derived from the first; what is appended counts for the whole request.
 */
export const step = (context: CommandContext, name: string): CommandContext =>
  commandContext({ ...context, commandId: derivedUuid(`${context.commandId}/${name}`) });
