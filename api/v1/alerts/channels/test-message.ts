import { recordChannelTest } from '../../../../commands/alerts/alert-channels.ts';
import type { CommandContext } from '../../../../commands/engine/context.ts';
import type { Commands } from '../../../../commands/index.ts';
import type { TestOutcome } from '../../../../commands/alerts/channel-tests.ts';
import {
  STATUS_PAGE,
  type ChannelTypeName,
  type Configuration,
} from '../../../../domain/alert-channel/configuration.ts';
import type { Instant } from '../../../../domain/time.ts';
import { composeChannelTest } from '../../../../messages/channel-test.ts';
import { channelTypeOf } from '../../../../notifiers/channels/index.ts';
import { componentProblems } from '../../../../queries/alerts/alert-channels.ts';
import type { Scope } from '../../../../queries/engine/scope.ts';

interface TestDependencies {
  scope: Scope;
  context: CommandContext;
  commands: Commands;
}

/** A channel to test. `configuration` is null if the stored configuration cannot be read any more. */
interface TestedChannel {
  /** Null if the channel is not stored. */
  id: string | null;
  /** Whether `configuration` is stored. If not, the request contained it. */
  stored: boolean;
  name: string | null;
  type: ChannelTypeName;
  configuration: Configuration | null;
}

/** The outcome of a test. It contains the status code of the receiver's response, but not the body. */
export interface ChannelTestResult {
  success: boolean;
  status_code: number | null;
  /** whole milliseconds */
  response_time: number | null;
  error_message: string | null;
  tested_at: Instant;
}

/** Sends a test message immediately and records it in the audit log. @throws HttpError 429 after too many tests */
export const testChannel = async (
  { scope, context, commands }: TestDependencies,
  { id, stored, name, type, configuration }: TestedChannel,
): Promise<ChannelTestResult> => {
  const { organizationId, now: tested_at } = context;
  const tests = commands.bind(({ channelTests }) => channelTests);
  tests.admit(organizationId);
  await commands.bind(recordChannelTest)(id, { type, configuration: stored ? 'stored' : 'sent' }, context);
  const failed = (error_message: string): ChannelTestResult => ({
    success: false,
    status_code: null,
    response_time: null,
    error_message,
    tested_at,
  });
  if (!configuration) return failed('The configuration of the channel cannot be read any more. Configure it again.');
  if (type === STATUS_PAGE) {
    const [problem] = Object.values(await componentProblems(scope, configuration));
    return problem ? failed(problem[0] ?? '') : { ...failed(''), success: true, error_message: null };
  }
  const message = { id: context.newId(), ...composeChannelTest({ name, at: tested_at, organizationId }) };
  const begun = performance.now();
  const outcomes = await Promise.all(
    (channelTypeOf(type)?.receivers(configuration, null) ?? []).map(({ notifier, settings }, index) =>
      tests.send(notifier, { ...message, id: `${message.id}-${index}` }, settings),
    ),
  );
  const { success, status_code, error_message } = combinedOutcome(outcomes);
  const response_time = Math.round(performance.now() - begun);
  return { success, status_code, response_time, error_message, tested_at };
};

/** Combines outcomes: returns the first failure, with the number of failures, or the first success if none failed. */
const combinedOutcome = (outcomes: readonly TestOutcome[]): TestOutcome => {
  const failures = outcomes.filter(({ success }) => !success);
  const [first] = failures.length > 0 ? failures : outcomes;
  if (!first) return { success: false, status_code: null, error_message: 'The channel has no recipients.' };
  if (failures.length === 0 || outcomes.length === 1) return first;
  const count = `${failures.length} of ${outcomes.length} recipients`;
  return { ...first, error_message: `${count}: ${first.error_message ?? ''}` };
};
