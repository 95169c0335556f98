import { randomUUID } from 'node:crypto';
import { confirmToken, recordRunnerConnection, recordRunnerDisconnection } from '../../commands/runners.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import type { CommandContext } from '../../commands/engine/context.ts';
import { instantOf } from '../../domain/time.ts';
import type { Assembly } from '../assembly.ts';
import type { DisconnectReason } from './hub.ts';
import type { KnownRunner } from '../../api/runner-source.ts';
import type { Session } from './session.ts';

/**
 * Records which runners connect and disconnect, for auditors. If an event cannot be recorded, the error is written to
 * the process log.
 */
export interface ConnectionRecorder {
  connected: (session: Session) => void;
  disconnected: (session: Session, why: DisconnectReason) => void;
  /** Records that a runner has used its new token. */
  confirm: (runner: KnownRunner, tokenHash: string) => Promise<void>;
}

export const createConnectionRecorder = ({
  handle,
  facts,
  logger,
}: Pick<Assembly, 'handle' | 'facts' | 'logger'>): ConnectionRecorder => {
  const contextOf = ({ organizationId }: KnownRunner): CommandContext =>
    reactorContext('runners', { organizationId, commandId: randomUUID(), now: instantOf(facts.now()) });
  const attempt = async (what: () => Promise<unknown>): Promise<void> => {
    try {
      await what();
    } catch (error) {
      logger.warn({ err: error }, 'the connection or disconnection of a runner could not be recorded');
    }
  };

  return {
    connected: ({ runner, hello, presence }) => {
      const { instance, release, types } = hello;
      const { id: runnerId, region } = runner;
      logger.info({ runnerId, region, instance, release, address: presence().address }, 'a runner has connected');
      void attempt(() =>
        recordRunnerConnection({ handle })(runner.id, { instance, release, types: [...types] }, contextOf(runner)),
      );
    },
    disconnected: ({ runner, hello: { instance } }, reason) => {
      logger.info({ runnerId: runner.id, region: runner.region, instance, reason }, 'a runner has disconnected');
      void attempt(() => recordRunnerDisconnection({ handle })(runner.id, instance, reason, contextOf(runner)));
    },
    confirm: (runner, tokenHash) => attempt(() => confirmToken({ handle })(runner.id, tokenHash, contextOf(runner))),
  };
};
