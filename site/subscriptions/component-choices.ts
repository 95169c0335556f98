import type { ComponentDocument } from '../../projections/components/documents.ts';
import type { Choosable } from '../../views/subscription/scope-choice.tsx';

/** Returns components by group, in the page's order, for the field that selects the scope of a subscription. */
export const componentChoices = (shown: readonly ComponentDocument[]): Choosable[] => {
  const groups = new Set(shown.filter(({ group }) => group).map(({ id }) => id));
  const named = ({ id, name }: ComponentDocument): { id: string; name: string } => ({ id, name });
  return shown
    .filter(({ group_id }) => group_id === null || !groups.has(group_id))
    .map((one) => ({
      ...named(one),
      ...(one.group && { members: shown.filter(({ group_id }) => group_id === one.id).map(named) }),
    }));
};
