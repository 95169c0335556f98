import type { ChannelTests, TestOutcome } from '../../commands/alerts/channel-tests.ts';
import { createMinuteLimit } from '../../http/rate-limit.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import type { Notifier } from '../../notifiers/notifier.ts';

/** Time limit of a channel test, in milliseconds (docs/reference/alert-channels.md#tests). */
const TIME_LIMIT_MS = 10_000;
/** Maximum number of tests per minute and organization. Each process with the duty `api` counts separately. */
const PER_MINUTE = 10;

const failed = (error_message: string, status_code: number | null = null): TestOutcome => ({
  success: false,
  status_code,
  error_message,
});

/** Creates the functions that send test messages through the notifiers. */
export const createChannelTests = (
  notifiers: ReadonlyMap<string, Notifier>,
  { clock = () => performance.now(), limit = TIME_LIMIT_MS }: { clock?: () => number; limit?: number } = {},
): ChannelTests => ({
  admit: createMinuteLimit(PER_MINUTE, 'Too many channel tests. Please try again later.', clock),
  send: async (name, message, settings) => {
    const notifier = notifiers.get(name);
    if (!notifier) return failed(`This release cannot send by ${name}.`);
    const signal = AbortSignal.timeout(limit);
    try {
      const sent = await notifier.send(message, settings, { signal });
      return sent.status === 'delivered'
        ? { success: true, status_code: sent.response_code, error_message: null }
        : failed(sent.error_message, sent.response_code);
    } catch (error) {
      if (signal.aborted) return failed(`No response within ${limit / 1_000} s.`);
      if (error instanceof LocalFailure)
        return failed('The test could not run because this service lacks a resource of its machine.');
      throw error;
    }
  },
});
