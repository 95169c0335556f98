import type { Schemas } from '../../api/openapi.d.ts';

/** The alert channels of a check, which are those of its rules. */
export interface Channels {
  ids: readonly string[];
  /** whether its rules use different channels */
  differ: boolean;
}

/** Returns the channels of rules, if all use the same ones. */
export const channelsOf = (rules: readonly Pick<Schemas['AlertRule'], 'channel_ids'>[]): Channels => {
  const sets = rules.map(({ channel_ids }) => [...channel_ids].sort());
  const [first = []] = sets;
  const differ = sets.some((ids) => ids.join() !== first.join());
  return { ids: differ ? [] : first, differ };
};
