import { call } from '../../session/call.ts';
import { changeMany } from '../checks/actions.ts';
import { channelsOf, type Channels } from './rule-channels.ts';

export const loadChannels = async (check_id: string, signal: AbortSignal): Promise<Channels> =>
  channelsOf(await call('GET /v1/alerts/rules', { query: { check_id } }, { signal }));

/** Sets the channels of all rules of a check. If the check has no rule, creates a rule for failures. @throws Failure */
export const setChannels = async (check_id: string, channel_ids: readonly string[]): Promise<void> => {
  const { failure } = await changeMany([check_id], { channel_ids });
  if (failure) throw failure;
};
