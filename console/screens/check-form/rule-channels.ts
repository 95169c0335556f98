import type { Schemas } from '../../api/openapi.d.ts';

/** The alert channels of a check, that is, the channels of its alert rules. */
export interface Channels {
  ids: readonly string[];
  /** whether the rules of the check use different channels */
  differ: boolean;
}

/** Returns the channels that all the rules use. If the rules use different channels, returns no ids. */
export const channelsOf = (rules: readonly Pick<Schemas['AlertRule'], 'channel_ids'>[]): Channels => {
  const sets = rules.map(({ channel_ids }) => [...channel_ids].sort());
  const [first = []] = sets;
  const differ = sets.some((ids) => ids.join() !== first.join());
  return { ids: differ ? [] : first, differ };
};
