import type { Schemas } from '../../api/openapi.d.ts';

/** Which alert channels a check has: those of its rules. */
export interface Channels {
  ids: readonly string[];
  /** whether the rules name different ones */
  differ: boolean;
}

/** The channels that rules name, if all name the same. */
export const channelsOf = (rules: readonly Pick<Schemas['AlertRule'], 'channel_ids'>[]): Channels => {
  const sets = rules.map(({ channel_ids }) => [...channel_ids].sort());
  const [first = []] = sets;
  const differ = sets.some((ids) => ids.join() !== first.join());
  return { ids: differ ? [] : first, differ };
};
