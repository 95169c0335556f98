import { plurals } from '../../words/plurals.ts';
import type { GroupWords } from '../words/groups.ts';

export const groups: GroupWords = {
  new: 'New group',
  empty: 'No groups yet',
  emptyText:
    'A group holds checks that belong together, such as those of a service. It shows their state and can pause them together.',
  checks: plurals('en', { one: 'check', other: 'checks' }),
  ungrouped: 'Checks without a group',
  pausedGroup: 'paused as a group',
  moveUp: 'Move up',
  moveDown: 'Move down',
  drag: 'Drag to another position',
  moved: (name, place, count) => `${name}: position ${place} of ${count}`,
  color: 'Color',
  noColor: 'No color',
  otherColor: 'Color code',
  active: 'The checks of this group run',
  activeHint: 'If not, none of them runs on its schedule.',
  deleteTitle: 'Delete the group?',
  deleteText: (checks) => `${checks} will be without a group.`,
};
