import { headText, type LogHead } from '../../domain/log/head.ts';
import { readLogId } from '../../projections/engine/feed/log-marks.ts';
import type { Config } from '../../service/config/config.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Output } from '../../service/output.ts';
import { openRawLog, siteOf } from '../../service/stores.ts';
import { DamagedEvent, type EventStore } from '../../stores/event-store/port.ts';
import { computeHead, verifyHeads, type ReadLogOptions } from './heads.ts';

interface HeadOptions {
  json: boolean;
  signal: AbortSignal;
}

/**
 * `uptrail audit head`: prints the head of the log `main`. Works embedded and on a cluster, with or without a running
 * service.
 *
 * @throws OperatorError
 */
export const runAuditHead = async (config: Config, { json, signal }: HeadOptions, output: Output): Promise<void> => {
  await reading(config, signal, async (options, logId) => {
    const head = await computeHead(options);
    const text = headText(head);
    await output.line(json ? JSON.stringify({ head: text, events: head.events, log_id: logId }) : text);
  });
};

/**
 * `uptrail audit verify`: compares the log with heads that were recorded earlier.
 *
 * @returns whether the log still matches all heads
 * @throws OperatorError
 */
export const runAuditVerify = async (
  config: Config,
  { heads, json, signal }: HeadOptions & { heads: readonly LogHead[] },
  output: Output,
): Promise<boolean> =>
  reading(config, signal, async (options, logId) => {
    const { head, difference } = await verifyHeads(heads, options);
    const most = Math.max(...heads.map(({ events }) => events));
    const sentence =
      difference?.sentence ??
      `The first ${most} events of the log main match the head: each is unchanged and in the same order.` +
        (head && head.events > most ? ` ${head.events - most} events were added since.` : '');
    if (json) {
      const { kind = null, sound = most, up_to = null } = difference ?? {};
      const now = head && headText(head);
      await output.line(
        JSON.stringify({ valid: !difference, difference: kind, sound, up_to, sentence, log_id: logId, head: now }),
      );
    } else await output.line(sentence);
    return !difference;
  });

const reading = async <T>(
  config: Config,
  signal: AbortSignal,
  work: (options: ReadLogOptions, logId: string | null) => Promise<T>,
): Promise<T> => {
  const log = await openRawLog(siteOf(config), 'main', 'reader');
  try {
    return await work({ log, signal }, await idOf(log));
  } catch (error) {
    if (signal.aborted) throw new OperatorError('Interrupted.', { cause: error });
    throw error;
  } finally {
    await log.close();
  }
};

/**
 * Returns the id of a log, from its first event. Returns null if that event is damaged. The damage is reported when the
 * caller reads the log.
 */
const idOf = async (log: EventStore): Promise<string | null> => {
  try {
    return await readLogId(log);
  } catch (error) {
    if (error instanceof DamagedEvent) return null;
    throw error;
  }
};
